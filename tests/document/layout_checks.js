// Runs in a page around frames, two of each report, which show it at the width of a phone and of a
// desktop. Leaves a line per failure and "done" with what was looked at.
addEventListener('load', () => {
  'use strict';
  const LEAST_CONTRAST = 4.5;
  const SHOWN = 6; // failures of a kind in a frame; the others are counted
  const lines = [];
  let texts = 0;

  const hidden = (style) => style.display === 'none' || style.visibility !== 'visible';
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  const cuts = (value) => value === 'hidden' || value === 'clip';

  // Lengths in px of a box that is read out but not shown: clipped to a pixel or to nothing.
  const isForReaders = (style) => style.position === 'absolute'
    && (style.clip === 'rect(0px, 0px, 0px, 0px)' || style.clipPath === 'inset(50%)'
      || (parseFloat(style.width) <= 1 && parseFloat(style.height) <= 1));

  // Letters do not fill the height of their line; a text that is higher than wide stands upright.
  const shrunk = (box) => {
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    const x = width < height ? 0.22 * width : 1;
    const y = width < height ? 1 : 0.22 * height;
    return { left: box.left + x, right: box.right - x, top: box.top + y, bottom: box.bottom - y };
  };
  const meet = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;

  // "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", "color(srgb 0.1 0.2 0.3 / 0.5)"; null: no colour.
  const colourOf = (text) => {
    const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
    if (numbers.length < 3 || text.startsWith('url')) return null;
    const scale = text.startsWith('color(srgb') ? 1 : 255;
    return { rgb: numbers.slice(0, 3).map((value) => value / scale), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const over = (front, back) => front.rgb.map((value, i) => front.alpha * value + (1 - front.alpha) * back[i]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  const checkFrame = (frame) => {
    const view = frame.contentWindow;
    const page = view.document;
    const root = page.documentElement;
    const where = `${view.location.pathname.split('/').pop()}, ${frame.width} px`;
    const counts = new Map();
    const fail = (kind, text) => {
      const count = (counts.get(kind) || 0) + 1;
      counts.set(kind, count);
      if (count <= SHOWN) lines.push(`FAIL ${where}: ${kind}: ${text}`);
    };
    const styles = new Map();
    const styleOf = (element) => {
      if (!styles.has(element)) styles.set(element, view.getComputedStyle(element));
      return styles.get(element);
    };
    page.querySelectorAll('details').forEach((details) => { details.open = true; });

    // What an element is seen on: colours of the boxes behind it, and the fill of the rectangles
    // of a drawing that were painted before it.
    const background = (element, box) => {
      const layers = [];
      const svg = element.ownerSVGElement;
      if (svg) {
        const x = (box.left + box.right) / 2;
        const y = (box.top + box.bottom) / 2;
        [...svg.querySelectorAll('rect')].reverse().forEach((rect) => {
          const place = rect.getBoundingClientRect();
          const style = styleOf(rect);
          const before = rect.compareDocumentPosition(element) & view.Node.DOCUMENT_POSITION_FOLLOWING;
          const fill = before && !hidden(style) && style.fill !== 'none' ? colourOf(style.fill) : null;
          if (fill && x > place.left && x < place.right && y > place.top && y < place.bottom) {
            layers.push({ rgb: fill.rgb, alpha: fill.alpha * style.fillOpacity * style.opacity });
          }
        });
      }
      for (let parent = svg || element; parent; parent = parent.parentElement) {
        const colour = colourOf(styleOf(parent).backgroundColor);
        if (colour) layers.push(colour);
      }
      return layers.reverse().reduce((back, layer) => over(layer, back), [1, 1, 1]);
    };

    const checkContrast = (element, box, what) => {
      const style = styleOf(element);
      const colour = colourOf(element.ownerSVGElement ? style.fill : style.color);
      if (!colour) return;
      let alpha = colour.alpha * (element.ownerSVGElement ? style.fillOpacity : 1);
      for (let parent = element; parent; parent = parent.parentElement) alpha *= styleOf(parent).opacity;
      const back = background(element, box);
      const ratio = contrast(over({ rgb: colour.rgb, alpha }, back), back);
      if (ratio < LEAST_CONTRAST) fail('contrast', `${what} has ${ratio.toFixed(2)} to its background`);
    };

    // The part of a text that is seen without scrolling, or null; fails if a box cuts it that does
    // not scroll.
    const seenPart = (element, box, what) => {
      let part = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
      let scrolled = false;
      for (let parent = element; parent && parent !== root && parent !== page.body; parent = parent.parentElement) {
        const style = styleOf(parent);
        const drawing = parent.localName === 'svg' && parent !== element;
        const place = parent.getBoundingClientRect();
        if (style.display === 'inline' && !drawing) continue;
        const wide = scrolls(style.overflowX);
        const high = scrolls(style.overflowY);
        if (!wide && !high && !cuts(style.overflowX) && !cuts(style.overflowY)) continue;
        const tight = shrunk(part);
        if (!scrolled && ((!wide && cuts(style.overflowX) && (tight.left < place.left - 1 || tight.right > place.right + 1))
          || (!high && cuts(style.overflowY) && (tight.top < place.top - 1 || tight.bottom > place.bottom + 1)))) {
          fail('cut', `${what} by ${parent.localName}${parent.className.baseVal ?? (parent.className && `.${parent.className}`)}`);
        }
        scrolled = scrolled || wide || high;
        part = meet(part, place);
      }
      if (!scrolled && (part.left < -1 || part.right > view.innerWidth + 1)) fail('cut', `${what} by the window`);
      return part;
    };

    const isShown = (element) => {
      for (let parent = element; parent; parent = parent.parentElement) {
        const style = styleOf(parent);
        if (style.display === 'none' || isForReaders(style) || Number(style.opacity) === 0) return false;
      }
      return styleOf(element).visibility === 'visible';
    };

    const corners = ({ left, top, right, bottom }) => [
      { x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }];

    const found = [];
    const walker = page.createTreeWalker(page.body, view.NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const words = node.textContent.trim();
      if (words === '' || /^(script|style|title|desc|option|noscript)$/.test(element.localName) || !isShown(element)) continue;
      const what = `"${words.replace(/\s+/g, ' ').slice(0, 60)}"`;
      const range = page.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5);
      if (boxes.length === 0) continue;
      texts++;
      checkContrast(element, boxes[0], what);
      boxes.forEach((box) => {
        const part = shrunk(seenPart(element, box, what));
        const slopes = element.ownerSVGElement && element.getScreenCTM().b !== 0;
        if (!isEmpty(part)) found.push({ ...part, element, what, corners: slopes ? outline(element) : corners(part) });
      });
    }

    // Two texts on one another; of one block only its own lines may touch.
    found.sort((a, b) => a.top - b.top);
    found.forEach((one, i) => {
      for (let j = i + 1; j < found.length && found[j].top < one.bottom; j++) {
        const other = found[j];
        if (one.element !== other.element && !isEmpty(meet(one, other)) && overlap(one.corners, other.corners)) {
          fail('overlap', `${one.what} and ${other.what}`);
        }
      }
    });

    const holder = (element) => {
      for (let parent = element.parentElement; parent && parent !== page.body; parent = parent.parentElement) {
        const style = styleOf(parent);
        if (scrolls(style.overflowX) || cuts(style.overflowX) || parent.localName === 'svg') return parent;
      }
      return null;
    };
    page.body.querySelectorAll('*').forEach((element) => {
      const box = element.getBoundingClientRect();
      if (box.width > 0 && (box.right > view.innerWidth + 1 || box.left < -1) && isShown(element) && !holder(element)) {
        fail('wide', `<${element.localName}> reaches from ${Math.round(box.left)} to ${Math.round(box.right)} of ${view.innerWidth} px`);
      }
    });
    if (root.scrollWidth > root.clientWidth) fail('wide', `the page is ${root.scrollWidth} px in a window of ${root.clientWidth}`);
    counts.forEach((count, kind) => {
      if (count > SHOWN) lines.push(`FAIL ${where}: ${kind}: ${count - SHOWN} more`);
    });
  };

  document.querySelectorAll('iframe').forEach((frame) => {
    try {
      checkFrame(frame);
    } catch (error) {
      lines.push(`FAIL ${frame.src}: the check itself: ${error.stack}`);
    }
  });
  lines.push(`done ${texts} texts in ${document.querySelectorAll('iframe').length} frames`);
  document.getElementById('results').textContent = `\n${lines.join('\n')}\n`;
});
