"""Mutual nearest neighbours of other libraries: a search in each direction."""
from ._peers import Calls, dense, opencv_threads, torch_on, within


def _sets(work):
    queries, most, width = int(work.facts["queries"]), int(work.answer["keypoints"]), int(work.answer["bits"]) // 8
    if work.answer["distance"] != "hamming":
        raise NotImplementedError("it is called for Hamming distances")
    return work.image[:queries][:most, :width], work.image[queries:][:most, :width]


def _calls(work, search):
    """`search` returns indices and distances of the nearest of B to A, and indices of the nearest of A to B."""
    found = {}

    def run():
        found["forth"], found["distances"], found["back"] = search()

    def download():
        import numpy as np

        out, forth = work.out["matches"], found["forth"]
        out[:, 0], out[:, 1] = forth, found["distances"]
        out[:, 2] = found["back"][forth] == np.arange(len(forth))

    return Calls(run, download)


def _filled(work, pair_seconds=0.0):
    """Two sets, of whose rows a pair takes so long at 256 bits."""
    sets = [dense(rows) for rows in _sets(work)]
    if not all(len(mine) for mine, _ in sets):
        raise NotImplementedError("a set is empty")
    within(pair_seconds / work.threads * len(sets[0][0]) * len(sets[1][0]) * sets[0][0].shape[1] / 32)
    return sets


def faiss(work):
    """IndexBinaryFlat of each set. That it is filled, a copy, is part of the time."""
    import faiss as library

    (a, refresh_a), (b, refresh_b) = _filled(work, 2.5e-9)
    of_a, of_b = (library.IndexBinaryFlat(a.shape[1] * 8) for _ in "12")
    threads = work.threads

    def nearest(index, rows, queries):
        index.reset()
        index.add(rows)
        distances, found = index.search(queries, 1)
        return distances[:, 0], found[:, 0]

    def search():
        library.omp_set_num_threads(threads)
        refresh_a()
        refresh_b()
        distances, forth = nearest(of_b, b, a)
        return forth, distances, nearest(of_a, a, b)[1]

    return _calls(work, search)


def opencv(work):
    """batchDistance in each direction, which BFMatcher calls: its list of matches would be made on the clock."""
    import cv2

    (a, refresh_a), (b, refresh_b) = _filled(work, 1.4e-8)
    threads = work.threads

    def nearest(queries, rows):
        distances, found = cv2.batchDistance(queries, rows, cv2.CV_32S, normType=cv2.NORM_HAMMING, K=1)
        return distances[:, 0], found[:, 0]

    def search():
        opencv_threads(threads)
        refresh_a()
        refresh_b()
        distances, forth = nearest(a, b)
        return forth, distances, nearest(b, a)[1]

    return _calls(work, search)


def _on_device(torch, work):
    """The sets as tensors of the device, and what uploads them; `download` of what a search leaves in `found`."""
    sets = _sets(work)
    if not all(len(rows) for rows in sets):
        raise NotImplementedError("a set is empty")
    there = [torch.empty(rows.shape, dtype=torch.uint8, device="cuda") for rows in sets]
    found = {}

    def upload():
        for mine, rows in zip(there, sets):
            mine.copy_(torch.from_numpy(rows))

    def download():
        forth, distances = found["forth"], found["distances"]
        mutual = found["back"][forth] == torch.arange(len(forth), device="cuda")
        rows = torch.stack((forth, distances.long(), mutual.long()), dim=1).cpu().numpy()
        work.out["matches"][...] = rows

    return there, found, upload, download


def faiss_gpu(work):
    """GpuIndexBinaryFlat of each set in memory of PyTorch's, filled as the sets are uploaded. Of equal distances it has
    the least index."""
    import importlib.metadata

    import faiss as library

    torch = torch_on(work.stream)
    if library.get_num_gpus() == 0:
        raise NotImplementedError("it finds no GPU")
    there, found, copy, download = _on_device(torch, work)
    resources, settings = library.StandardGpuResources(), library.GpuIndexBinaryFlatConfig()
    settings.device = torch.cuda.current_device()
    resources.setDefaultStream(settings.device, library.cast_integer_to_cudastream_t(work.stream))
    indices = [library.GpuIndexBinaryFlat(resources, 8 * rows.shape[1], settings) for rows in there]
    answers = [[torch.empty(len(rows), dtype=kind, device="cuda") for kind in (torch.int32, torch.int64)]
               for rows in there]

    def bytes_of(rows):
        return library.cast_integer_to_uint8_ptr(rows.data_ptr())

    def upload():
        copy()
        for index, rows in zip(indices, there):
            index.reset()
            index.add_c(len(rows), bytes_of(rows))

    def run():
        for queries, index, (distances, places) in zip(there, reversed(indices), answers):
            index.search_c(len(queries), bytes_of(queries), 1, library.cast_integer_to_int_ptr(distances.data_ptr()),
                           library.cast_integer_to_idx_t_ptr(places.data_ptr()), None)
        (found["distances"], found["forth"]), (_, found["back"]) = answers

    calls = Calls(run, download, upload)
    calls.version = importlib.metadata.version("faiss-gpu")
    return calls


def pytorch(work):
    """Bits as -1 and 1 in half precision: the product of two rows is their number less twice their distance, exactly.
    Of equal ones `max` takes the first."""
    torch = torch_on(work.stream)
    there, found, upload, download = _on_device(torch, work)
    bits, some = 8 * there[0].shape[1], 8192
    places = torch.arange(8, dtype=torch.uint8, device="cuda")

    def signs(rows):
        return ((rows[:, :, None] >> places & 1).view(len(rows), bits).half() * 2).sub_(1)

    def run():
        a, b = (signs(rows) for rows in there)
        products, forth = (torch.empty(len(a), dtype=kind, device="cuda") for kind in (torch.half, torch.int64))
        best, back = (torch.full((len(b),), -2 * bits, dtype=kind, device="cuda") for kind in (torch.half, torch.int64))
        for first in range(0, len(a), some):
            product = a[first:first + some] @ b.T
            torch.max(product, 1, out=(products[first:first + some], forth[first:first + some]))
            values, indices = product.max(0)
            back = torch.where(values > best, indices + first, back)
            best = torch.maximum(values, best)
        found["forth"], found["back"] = forth, back
        found["distances"] = (bits - products.int()) // 2

    return Calls(run, download, upload)
