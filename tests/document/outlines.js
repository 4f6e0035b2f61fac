// For the checks of pictures and pages: texts of an SVG that may lie along a slope.

// The corners of a text in px of its window, without a tenth of its height on each side: letters
// do not fill the box.
const outline = (text) => {
  const box = text.getBBox();
  const matrix = text.getScreenCTM();
  const inset = 0.2 * box.height;
  const [left, right] = [box.x + 0.5, box.x + box.width - 0.5];
  const [top, bottom] = [box.y + inset, box.y + box.height - inset];
  return [[left, top], [right, top], [right, bottom], [left, bottom]].map(([x, y]) => ({
    x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f,
  }));
};

// Whether some straight line has all of one outline on one side and all of the other on its other
// side; both are convex.
const apart = (a, b) => a.some((from, i) => {
  const to = a[(i + 1) % a.length];
  const side = (point) => (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
  const own = a.map(side).reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return b.every((point) => side(point) * own <= 0);
});
const overlap = (a, b) => !apart(a, b) && !apart(b, a);
