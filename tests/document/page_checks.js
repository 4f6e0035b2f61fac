// Runs in a page around frames, four of each report, which show it at the width of a phone and of a
// desktop, dark and light. Leaves a line per failure, and "done" with what was looked at.
addEventListener('load', () => {
  'use strict';
  const lines = [];
  const seen = { charts: 0, points: 0, intervals: 0, tables: 0, columns: 0, notes: 0 };
  let where = '';
  const check = (good, text) => { if (!good) lines.push(`FAIL ${where}: ${text}`); };
  const all = (selector, within) => [...within.querySelectorAll(selector)];
  const named = (element) => element.closest('figure').querySelector('caption, figcaption').textContent.trim();

  const checkPage = (view) => {
    const { document: page } = view;
    const root = page.documentElement;
    check(root.scrollWidth <= root.clientWidth, `scrolls sideways: ${root.scrollWidth} of ${root.clientWidth} px`);
    check(page.title !== '' && page.querySelectorAll('h1').length === 1, 'has no title or not one h1');
    check(view.performance.getEntriesByType('resource').length === 0, 'loads something');
    const ids = all('[id]', page).map((element) => element.id);
    check(new Set(ids).size === ids.length, 'has an id twice');
    all('a[href^="#"]', page).forEach((link) => check(ids.includes(link.hash.slice(1)), `${link.hash} leads nowhere`));
    all('details', page).forEach((details) => { details.open = true; });
    check(root.scrollWidth <= root.clientWidth, `scrolls sideways with all details open: ${root.scrollWidth} px`);
  };

  const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;

  const checkDrawing = (view, svg) => {
    const box = svg.getBoundingClientRect();
    const unit = box.width / svg.viewBox.baseVal.width;
    check(box.width > 200 && box.height > 30, `chart "${named(svg)}" is ${box.width} by ${box.height} px`);
    all('.p', svg).forEach((point) => {
      const mark = point.querySelector('.m').getBoundingClientRect();
      const middle = { left: (mark.left + mark.right) / 2, top: (mark.top + mark.bottom) / 2 };
      check(mark.width > 1 && inside({ ...middle, right: middle.left, bottom: middle.top }, box),
        `${point.getAttribute('aria-label')} is not to be seen`);
    });
    all('text', svg).filter((text) => view.getComputedStyle(text).display !== 'none').forEach((text) => {
      const place = text.getBoundingClientRect();
      check(place.left >= -1 && place.right <= view.innerWidth + 1, `"${text.textContent}" is cut off`);
      const size = unit * parseFloat(view.getComputedStyle(text).fontSize);
      check(size >= 9, `"${text.textContent}" has letters of ${size.toFixed(1)} px`);
    });
  };

  const tipText = (page) => {
    const tip = page.getElementById('Tip');
    return tip && !tip.hidden && tip.getBoundingClientRect().width > 0 ? tip.textContent : '';
  };

  const checkFocus = (view, svg) => {
    const page = view.document;
    all('.s[data-series]', svg).forEach((group) => {
      const points = all('.p', group);
      const stops = points.filter((point) => point.tabIndex === 0);
      check(points.length === 0 || stops.length === 1, `${stops.length} tab stops in a series of "${named(svg)}"`);
      points.forEach((point, i) => {
        seen.points++;
        if (i > 4) return;
        const { x, y, interval } = point.dataset;
        point.focus();
        const text = tipText(page);
        check(text.includes(y) && text.includes(x), `focus on ${point.getAttribute('aria-label')} shows "${text}"`);
        view.dispatchEvent(new view.Event('scroll'));
        check(tipText(page) === text, 'the tooltip does not survive scrolling');
        if (interval) {
          seen.intervals++;
          check(text.includes(interval), `no interval in "${text}"`);
        }
      });
      if (points.length < 2) return;
      points[0].focus();
      points[0].dispatchEvent(new view.KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
      check(page.activeElement === points[1] && points[1].tabIndex === 0 && points[0].tabIndex === -1,
        `ArrowRight does not go to the next point of "${named(svg)}"`);
      points[1].blur();
      check(tipText(page) === '', 'the tooltip stays');
    });
  };

  const checkPointer = (view, svg) => {
    const point = svg.querySelector('.p[data-interval]');
    if (!point) return;
    svg.scrollIntoView({ behavior: 'instant' });
    const { left, right, top, bottom } = point.querySelector('.m').getBoundingClientRect();
    svg.dispatchEvent(new view.PointerEvent('pointermove',
      { clientX: (left + right) / 2, clientY: (top + bottom) / 2, bubbles: true }));
    // Another point may lie at the same place.
    const near = svg.querySelector('.p.near');
    check(near && tipText(view.document).includes(near.dataset.y), `the pointer shows nothing in "${named(svg)}"`);
    svg.dispatchEvent(new view.PointerEvent('pointerleave'));
  };

  const checkLegend = (view, svg) => {
    const figure = svg.closest('figure');
    all('.legend li', figure).forEach((entry) => {
      const group = svg.querySelector(`.s[data-series="${entry.dataset.series}"]`);
      if (!group) return;
      const button = entry.querySelector('button');
      const shown = () => view.getComputedStyle(group).display !== 'none';
      check(button && shown(), `"${entry.textContent}" of "${named(svg)}" cannot be switched`);
      if (!button) return;
      button.click();
      check(!shown() && button.getAttribute('aria-pressed') === 'false', `"${entry.textContent}" is not hidden`);
      button.click();
      check(shown() && button.getAttribute('aria-pressed') === 'true', `"${entry.textContent}" does not come back`);
    });
  };

  // What sorting goes by: a number, a word, or null for what is missing.
  const keyOf = (cell) => {
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    const text = cell.textContent.trim();
    return text === '' || text === '—' || cell.classList.contains('missing') ? null : text;
  };
  const checkSorted = (table, column, sign, what) => {
    const keys = [...table.tBodies[0].rows].map((row) => keyOf(row.cells[column]));
    const present = keys.filter((key) => key !== null);
    check(keys.slice(present.length).every((key) => key === null), `${what}: missing values are not last`);
    const numbers = present.filter((key) => typeof key === 'number');
    check(numbers.every((number, i) => i === 0 || sign * (number - numbers[i - 1]) >= 0), `${what}: numbers out of order`);
    const words = present.filter((key) => typeof key === 'string');
    check(words.every((word, i) => i === 0 || sign * word.localeCompare(words[i - 1], 'en', { numeric: true }) >= 0),
      `${what}: words out of order`);
  };
  const checkSorting = (table) => {
    const buttons = all('thead button', table);
    const rows = [...table.tBodies[0].rows];
    check(buttons.length === (rows.length > 1 ? rows[0].cells.length : 0),
      `"${named(table)}" of ${rows.length} rows has ${buttons.length} buttons`);
    if (rows.length < 2) return;
    const columnOf = new Map();
    const [first, second] = table.tHead.rows;
    let next = 0;
    let below = 0;
    for (const cell of first.cells) {
      for (let i = 0; i < cell.colSpan; i++) {
        columnOf.set(cell.colSpan > 1 || cell.scope === 'colgroup' ? second.cells[below++] : cell, next++);
      }
    }
    buttons.forEach((button) => {
      const heading = button.closest('th');
      const column = columnOf.get(heading);
      seen.columns++;
      [['ascending', 1], ['descending', -1]].forEach(([direction, sign]) => {
        button.click();
        check(heading.getAttribute('aria-sort') === direction && all('[aria-sort]', table).length === 1,
          `"${named(table)}" does not say that it is ${direction}`);
        checkSorted(table, column, sign, `"${named(table)}" by "${heading.textContent}", ${direction}`);
      });
      check(table.tBodies[0].rows.length === rows.length, `sorting loses rows of "${named(table)}"`);
    });
  };

  const checkFilter = (view, table) => {
    const rows = [...table.tBodies[0].rows];
    const input = table.closest('figure').querySelector('input[type=search]');
    check((input !== null) === rows.length > 15, `"${named(table)}" of ${rows.length} rows: filter ${input ? 'there' : 'missing'}`);
    if (!input) return;
    const type = (text) => {
      input.value = text;
      input.dispatchEvent(new view.Event('input'));
      return rows.filter((row) => view.getComputedStyle(row).display !== 'none');
    };
    const word = rows[0].cells[0].textContent.trim();
    const found = type(word);
    check(found.includes(rows[0]) && found.every((row) => row.textContent.toLowerCase().includes(word.toLowerCase().split(/\s+/)[0])),
      `the filter "${word}" of "${named(table)}" is wrong`);
    check(type('no row has this').length === 0, `the filter of "${named(table)}" lets everything pass`);
    check(type('').length === rows.length, `the filter of "${named(table)}" cannot be undone`);
  };

  const checkTable = (view, table) => {
    seen.tables++;
    const region = table.closest('.scroll');
    check(region && region.tabIndex === 0 && region.getAttribute('aria-label'), `"${named(table)}" is in no region`);
    if (table.classList.contains('sortable')) checkSorting(table);
    checkFilter(view, table);
    const stops = all('[data-note]', table).filter((cell) => cell.tabIndex === 0).length;
    check(stops === (table.querySelector('[data-note]') ? 1 : 0), `${stops} tab stops in "${named(table)}"`);
    all('[data-note]', table).slice(0, 20).forEach((cell) => {
      seen.notes++;
      cell.focus();
      check(tipText(view.document) === cell.dataset.note, `the note of "${cell.textContent}" is not shown`);
      cell.blur();
    });
  };

  const backgrounds = new Map(); // of a page, by scheme
  for (const frame of document.querySelectorAll('iframe')) {
    const view = frame.contentWindow;
    const name = view.location.pathname.split('/').pop();
    const scheme = frame.style.colorScheme;
    where = `${name}, ${frame.width} px, ${scheme}`;
    try {
      check(view.matchMedia(`(prefers-color-scheme: ${scheme})`).matches, 'the browser does not show it so');
      check(view.document.getElementById('Tip') !== null, 'the script of the page did not run');
      checkPage(view);
      all('svg.chart', view.document).forEach((svg) => {
        seen.charts++;
        checkDrawing(view, svg);
        checkFocus(view, svg);
        checkPointer(view, svg);
        checkLegend(view, svg);
      });
      all('main table', view.document).forEach((table) => checkTable(view, table));
    } catch (error) {
      lines.push(`FAIL ${where}: the check itself: ${error.stack}`);
    }
    backgrounds.set(name, { ...backgrounds.get(name), [scheme]: getComputedStyle(view.document.body).backgroundColor });
  }
  backgrounds.forEach(({ dark, light }, name) => {
    if (dark === light) lines.push(`FAIL ${name}: dark and light have the same background, ${dark}`);
  });
  lines.push(`done ${Object.entries(seen).map(([what, count]) => `${count} ${what}`).join(', ')}`);
  document.getElementById('results').textContent = `\n${lines.join('\n')}\n`;
});
