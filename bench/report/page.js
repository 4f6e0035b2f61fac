// Everything of the page can be read without this script; it adds what answers: sorting, filtering,
// hiding, and the values of points under the pointer or the keyboard.
(() => {
  'use strict';

  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (name, attributes = {}, text = '') => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  };

  // --- The tooltip: one for the page ------------------------------------------------------------
  const tip = make('div', { id: 'Tip', role: 'tooltip', hidden: '' });
  document.body.append(tip);

  let target = null; // what the tooltip is about
  const place = () => {
    const box = target.getBoundingClientRect();
    const own = tip.getBoundingClientRect();
    const width = document.documentElement.clientWidth;
    const left = Math.max(8, Math.min(width - own.width - 8, box.left + box.width / 2 - own.width / 2));
    const above = box.top - own.height - 10;
    tip.style.left = `${left}px`;
    tip.style.top = `${above >= 4 ? above : box.bottom + 10}px`;
  };
  const show = (element, parts) => {
    target = element;
    tip.replaceChildren(...parts);
    tip.hidden = false;
    place();
  };
  const hide = () => {
    target = null;
    tip.hidden = true;
    all('.near').forEach((point) => point.classList.remove('near'));
    all('[aria-describedby=Tip]').forEach((cell) => cell.removeAttribute('aria-describedby'));
  };
  addEventListener('keydown', (event) => event.key === 'Escape' && hide());
  // The page scrolls by itself to what gets the focus.
  const followTarget = () => target && place();
  addEventListener('scroll', followTarget, { passive: true, capture: true });
  addEventListener('resize', followTarget);

  // One stop for Tab among many elements: the one that had the focus last.
  const keepOneStop = (elements, stop) =>
    elements.forEach((element) => element.setAttribute('tabindex', element === stop ? 0 : -1));

  // --- Cells with notes: Tab comes to a table once, arrow keys go on --------------------------------
  const showNote = (cell) => {
    hide();
    cell.setAttribute('aria-describedby', 'Tip');
    show(cell, [document.createTextNode(cell.dataset.note)]);
  };
  const addNotes = (table) => {
    const cells = all('[title]', table);
    keepOneStop(cells, cells[0]);
    cells.forEach((cell) => {
      cell.dataset.note = cell.title; // the browser's own tooltip would be a second one
      cell.removeAttribute('title');
      cell.addEventListener('focus', () => showNote(cell));
      cell.addEventListener('mouseenter', () => showNote(cell));
      cell.addEventListener('blur', hide);
      cell.addEventListener('mouseleave', hide);
    });
    table.addEventListener('keydown', (event) => {
      const cell = event.target.closest('[data-note]');
      if (!cell) return;
      const row = all('[data-note]', cell.parentNode);
      const column = all('[data-note]', table)
        .filter((other) => other.cellIndex === cell.cellIndex && !other.parentNode.hidden);
      const next = {
        ArrowRight: row[row.indexOf(cell) + 1],
        ArrowLeft: row[row.indexOf(cell) - 1],
        ArrowDown: column[column.indexOf(cell) + 1],
        ArrowUp: column[column.indexOf(cell) - 1],
      }[event.key];
      if (!next) return;
      event.preventDefault();
      keepOneStop(cells, next);
      next.focus();
    });
  };
  all('table').forEach(addNotes);

  // --- Tables -----------------------------------------------------------------------------------
  const collator = new Intl.Collator(document.documentElement.lang, { numeric: true });
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.textContent.trim();
    const value = cell.hasAttribute('data-value') ? Number(cell.dataset.value) : NaN;
    const missing = Number.isNaN(value) && (text === '' || text === '—' || cell.classList.contains('missing'));
    return { row, value, text, rank: missing ? 2 : Number.isNaN(value) ? 1 : 0 };
  };
  // Numbers, then words, then what is missing: that stays last in both directions.
  const compare = (a, b, sign) => {
    if (a.rank !== b.rank) return a.rank === 2 || b.rank === 2 ? a.rank - b.rank : sign * (a.rank - b.rank);
    if (a.rank === 2) return 0;
    return sign * (a.rank === 0 ? a.value - b.value : collator.compare(a.text, b.text));
  };
  const sortBy = (table, heading, column) => {
    const descending = heading.getAttribute('aria-sort') === 'ascending';
    all('[aria-sort]', table).forEach((other) => other.removeAttribute('aria-sort'));
    heading.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    const body = table.tBodies[0];
    const keys = [...body.rows].map((row) => keyOf(row, column));
    keys.sort((a, b) => compare(a, b, descending ? -1 : 1));
    body.append(...keys.map((key) => key.row));
  };
  // The headings of the columns in their order, from one or two rows.
  const headingsOf = (table) => {
    const [first, second] = table.tHead.rows;
    const below = second ? [...second.cells] : [];
    return [...first.cells].flatMap((cell) => (cell.scope === 'colgroup' ? below.splice(0, cell.colSpan) : [cell]));
  };
  const makeSortable = (table) => headingsOf(table).forEach((heading, column) => {
    const button = make('button', { type: 'button' });
    if (heading.textContent.trim() === '') button.setAttribute('aria-label', `Sort by column ${column + 1}`);
    button.append(...heading.childNodes);
    button.addEventListener('click', () => sortBy(table, heading, column));
    heading.append(button);
  });

  const manyRows = 15;
  const makeFilter = (table) => {
    const rows = [...table.tBodies[0].rows];
    const box = make('p', { class: 'filter' });
    const label = make('label', {}, 'Filter rows');
    const input = make('input', { type: 'search', autocomplete: 'off' });
    const count = make('span', { 'aria-live': 'polite' }, `${rows.length} rows`);
    label.append(input);
    box.append(label, count);
    table.closest('.scroll').before(box);
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row) => {
        const text = [...row.cells].map((cell) => cell.textContent).join(' ').toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
      });
      count.textContent = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
    });
  };
  all('table.sortable').filter((table) => table.tBodies[0].rows.length > 1).forEach(makeSortable);
  all('table').filter((table) => table.tBodies[0].rows.length > manyRows).forEach(makeFilter);

  // --- Charts -----------------------------------------------------------------------------------
  const showPoint = (point) => {
    hide();
    point.classList.add('near');
    const { x, y, interval } = point.dataset;
    const parts = [make('b', {}, y)];
    if (interval) parts.push(make('span', {}, interval));
    parts.push(make('small', {}, `${point.parentNode.dataset.name}, ${x}`));
    show(point.querySelector('.m'), parts);
  };

  const makeChart = (svg) => {
    all('title', svg).forEach((title) => title.remove()); // said by labels; shown by the tooltip
    const series = all('.s[data-series]', svg);
    const pointsOf = (group) => all('.p', group);
    const points = series.flatMap(pointsOf);
    const places = new Map(points.map((point) => {
      const { e, f } = point.transform.baseVal.getItem(0).matrix;
      return [point, { x: e, y: f }];
    }));
    const isShown = (point) => !point.parentNode.classList.contains('off');

    // Tab comes to each series once; arrow keys go on from there.
    series.forEach((group) => keepOneStop(pointsOf(group), pointsOf(group)[0]));
    const goTo = (point) => {
      if (!point) return;
      keepOneStop(pointsOf(point.parentNode), point);
      point.focus();
    };
    const across = (point, direction) => {
      const shown = series.filter((group) => !group.classList.contains('off') && pointsOf(group).length);
      const next = shown[shown.indexOf(point.parentNode) + direction];
      const { x } = places.get(point);
      return next && pointsOf(next).reduce((best, other) =>
        (Math.abs(places.get(other).x - x) < Math.abs(places.get(best).x - x) ? other : best));
    };
    svg.addEventListener('keydown', (event) => {
      const point = event.target.closest('.p');
      if (!point) return;
      const siblings = pointsOf(point.parentNode);
      const here = siblings.indexOf(point);
      const next = {
        ArrowRight: () => siblings[here + 1],
        ArrowLeft: () => siblings[here - 1],
        Home: () => siblings[0],
        End: () => siblings[siblings.length - 1],
        ArrowDown: () => across(point, 1),
        ArrowUp: () => across(point, -1),
      }[event.key];
      if (!next) return;
      event.preventDefault();
      goTo(next());
    });
    svg.addEventListener('focusin', (event) => event.target.matches('.p') && showPoint(event.target));
    svg.addEventListener('focusout', hide);

    // The point nearest to the pointer, if it is near.
    const reach = 26;
    const nearest = (event) => {
      const matrix = svg.getScreenCTM();
      let found = null;
      let least = reach * reach;
      points.filter(isShown).forEach((point) => {
        const { x, y } = places.get(point);
        const dx = matrix.a * x + matrix.e - event.clientX;
        const dy = matrix.d * y + matrix.f - event.clientY;
        if (dx * dx + dy * dy < least) [found, least] = [point, dx * dx + dy * dy];
      });
      return found;
    };
    const follow = (event) => {
      const point = nearest(event);
      if (!point) hide();
      else if (!point.classList.contains('near')) showPoint(point);
    };
    svg.addEventListener('pointermove', follow);
    svg.addEventListener('pointerdown', follow);
    svg.addEventListener('pointerleave', hide);

    all('.legend li', svg.closest('figure')).forEach((entry) => {
      const group = series.find((one) => one.dataset.series === entry.dataset.series);
      if (!group) return;
      const button = make('button', { type: 'button', 'aria-pressed': 'true' });
      button.append(...entry.childNodes);
      entry.append(button);
      const stress = (on) => {
        svg.classList.toggle('quiet', on && !group.classList.contains('off'));
        group.classList.toggle('loud', on);
      };
      button.addEventListener('click', () => {
        const off = group.classList.toggle('off');
        button.setAttribute('aria-pressed', String(!off));
        stress(false);
      });
      button.addEventListener('mouseenter', () => stress(true));
      button.addEventListener('mouseleave', () => stress(false));
    });
  };
  all('svg.chart').forEach(makeChart);

  // --- The page: where the reader is; everything open on paper ----------------------------------
  const links = new Map(all('nav a').map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => entries.forEach((entry) => {
    const link = links.get(entry.target.getAttribute('aria-labelledby'));
    if (!link) return;
    if (entry.isIntersecting) {
      all('nav [aria-current]').forEach((other) => other.removeAttribute('aria-current'));
      link.setAttribute('aria-current', 'true');
    }
  }), { rootMargin: '-10% 0px -80% 0px' });
  all('main > section').forEach((section) => watcher.observe(section));

  let opened = [];
  addEventListener('beforeprint', () => {
    opened = all('details:not([open])');
    opened.forEach((details) => { details.open = true; });
  });
  addEventListener('afterprint', () => opened.forEach((details) => { details.open = false; }));
})();
