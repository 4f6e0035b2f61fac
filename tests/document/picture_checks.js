// Runs in a page around frames, each of which shows one SVG that gnuplot drew. Leaves a line per
// failure and "done" with what was looked at.
addEventListener('load', () => {
  'use strict';
  const LEAST_POINTS = 5; // of letters, where a picture of 96 px an inch is printed as it is
  const lines = [];
  let texts = 0;

  document.querySelectorAll('iframe').forEach((frame) => {
    const view = frame.contentWindow;
    const root = view.document.documentElement;
    const name = decodeURIComponent(view.location.pathname.split('/').pop());
    const fail = (kind, text) => lines.push(`FAIL ${name}: ${kind}: ${text}`);
    const size = root.viewBox.baseVal;
    const found = [...root.querySelectorAll('text')].filter((text) => text.textContent.trim() !== '')
      .map((text) => ({ words: text.textContent.trim(), corners: outline(text), element: text }));
    texts += found.length;
    if (found.length === 0) fail('empty', 'no text is in the picture');
    found.forEach((text, i) => {
      const out = text.corners.some((corner) => corner.x < -1 || corner.y < -1
        || corner.x > size.width + 1 || corner.y > size.height + 1);
      if (out) fail('cut', `"${text.words}" leaves the picture`);
      const points = parseFloat(view.getComputedStyle(text.element).fontSize) * 0.75;
      if (points < LEAST_POINTS) fail('small', `"${text.words}" has letters of ${points.toFixed(1)} pt`);
      found.slice(i + 1).forEach((other) => {
        if (overlap(text.corners, other.corners)) fail('overlap', `"${text.words}" and "${other.words}"`);
      });
    });
    // Marks of points: shapes that are used by reference.
    root.querySelectorAll('use').forEach((mark) => {
      const matrix = mark.getScreenCTM();
      const place = [{ x: matrix.e - 1, y: matrix.f - 1 }, { x: matrix.e + 1, y: matrix.f - 1 },
        { x: matrix.e + 1, y: matrix.f + 1 }, { x: matrix.e - 1, y: matrix.f + 1 }];
      found.filter((text) => overlap(text.corners, place)).forEach((text) => {
        fail('point', `"${text.words}" lies on a point`);
      });
    });
  });
  lines.push(`done ${document.querySelectorAll('iframe').length} pictures, ${texts} texts`);
  document.querySelector('#results').textContent = lines.join('\n');
});
