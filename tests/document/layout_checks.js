// Runs in a page around frames, two of each report, which show it at the width of a phone and of a
// desktop; looks at them light, then dark. Leaves a line per failure and "done" with what was looked at.
addEventListener('load', () => {
  'use strict';
  const LEAST_CONTRAST = 4.5;
  const SHOWN = 6; // failures of a kind in a frame; the others are counted
  const lines = [];
  let texts = 0;

  // A function of an element, or of a text, that is asked about the same one many times.
  const remembered = (find) => {
    const known = new Map();
    return (about) => {
      if (!known.has(about)) known.set(about, find(about));
      return known.get(about);
    };
  };

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
  const colourOf = remembered((text) => {
    const numbers = (text.match(/-?[\d.]+(e-?\d+)?/g) || []).map(Number);
    if (numbers.length < 3 || text.startsWith('url')) return null;
    const scale = text.startsWith('color(srgb') ? 1 : 255;
    return { rgb: numbers.slice(0, 3).map((value) => value / scale), alpha: numbers.length > 3 ? numbers[3] : 1 };
  });
  const over = (front, back) => front.rgb.map((value, i) => front.alpha * value + (1 - front.alpha) * back[i]);
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  const checkFrame = (frame, scheme) => {
    const view = frame.contentWindow;
    const page = view.document;
    const root = page.documentElement;
    const where = `${scheme}, ${view.location.pathname.split('/').pop()}, ${frame.width} px`;
    const counts = new Map();
    const fail = (kind, text) => {
      const count = (counts.get(kind) || 0) + 1;
      counts.set(kind, count);
      if (count <= SHOWN) lines.push(`FAIL ${where}: ${kind}: ${text}`);
    };
    if (!view.matchMedia(`(prefers-color-scheme: ${scheme})`).matches) fail('scheme', 'the browser does not show it so');
    const styleOf = remembered((element) => view.getComputedStyle(element));
    // The first screen, before anything is unfolded: the finding and the first chart; where a window
    // is wide, the first table too.
    const first = page.querySelector('.first:has(> .chips)'); // of a run or a study
    if (first && scheme === 'light') {
      const study = page.querySelector('.first > .lead'); // some have no chart; tables are further down
      const bottoms = { headline: page.querySelector('h1'),
        ...((!study || page.querySelector('svg.chart')) && { chart: first.querySelector('svg.chart') }),
        ...(view.innerWidth > 1000 && !study && { table: first.querySelector(':scope > figure.table') }) };
      Object.entries(bottoms).forEach(([name, element]) => {
        const bottom = element ? element.getBoundingClientRect().bottom + view.scrollY : 0;
        if (bottom > view.innerHeight) fail('first screen', `the ${name} ends at ${Math.round(bottom)} of ${view.innerHeight} px`);
      });
    }
    page.querySelectorAll('details').forEach((details) => { details.open = true; });

    // What an element is seen on: colours of the boxes behind it, and the fill of the rectangles
    // of a drawing that were painted before it.
    const behind = remembered((element) => {
      if (!element) return [1, 1, 1];
      const colour = colourOf(styleOf(element).backgroundColor);
      const back = behind(element.parentElement);
      return colour ? over(colour, back) : back;
    });
    const rectangles = remembered((svg) => [...svg.querySelectorAll('rect')].flatMap((rect) => {
      const style = styleOf(rect);
      const fill = !hidden(style) && style.fill !== 'none' ? colourOf(style.fill) : null;
      return fill ? [{ rect, place: rect.getBoundingClientRect(),
        layer: { rgb: fill.rgb, alpha: fill.alpha * style.fillOpacity * style.opacity } }] : [];
    }));
    const background = (element, box) => {
      const svg = element.ownerSVGElement;
      if (!svg) return behind(element);
      const x = (box.left + box.right) / 2;
      const y = (box.top + box.bottom) / 2;
      return rectangles(svg).filter(({ rect, place }) => x > place.left && x < place.right && y > place.top && y < place.bottom
        && rect.compareDocumentPosition(element) & view.Node.DOCUMENT_POSITION_FOLLOWING)
        .reduce((back, { layer }) => over(layer, back), behind(svg));
    };

    const opacity = remembered((element) => (element ? styleOf(element).opacity * opacity(element.parentElement) : 1));
    // Of the texts of an element that have nothing else behind them.
    const ink = remembered((element) => {
      const style = styleOf(element);
      const colour = colourOf(element.ownerSVGElement ? style.fill : style.color);
      return colour && { rgb: colour.rgb,
        alpha: colour.alpha * (element.ownerSVGElement ? style.fillOpacity : 1) * opacity(element) };
    });
    const checkContrast = (element, box, what) => {
      const colour = ink(element);
      if (!colour) return;
      const back = background(element, box);
      const ratio = contrast(over(colour, back), back);
      if (ratio < LEAST_CONTRAST) fail('contrast', `${what} has ${ratio.toFixed(2)} to its background`);
    };

    // The boxes that cut or scroll what is in an element, from the inside outwards.
    const clips = remembered((element) => {
      if (!element || element === root || element === page.body) return [];
      const { display, overflowX, overflowY } = styleOf(element);
      const outer = clips(element.parentElement);
      if ((display === 'inline' && element.localName !== 'svg')
        || ![overflowX, overflowY].some((value) => scrolls(value) || cuts(value))) return outer;
      return [{
        place: element.getBoundingClientRect(),
        wide: scrolls(overflowX), high: scrolls(overflowY), cutsX: cuts(overflowX), cutsY: cuts(overflowY),
        name: element.localName + (element.className.baseVal ?? (element.className && `.${element.className}`)),
      }, ...outer];
    });
    // The part of a text that is seen without scrolling; fails if a box cuts it that does
    // not scroll.
    const seenPart = (element, box, what) => {
      let part = { left: box.left, right: box.right, top: box.top, bottom: box.bottom };
      let scrolled = false;
      clips(element).forEach(({ place, wide, high, cutsX, cutsY, name }) => {
        const tight = shrunk(part);
        if (!scrolled && ((cutsX && (tight.left < place.left - 1 || tight.right > place.right + 1))
          || (cutsY && (tight.top < place.top - 1 || tight.bottom > place.bottom + 1)))) {
          fail('cut', `${what} by ${name}`);
        }
        scrolled = scrolled || wide || high;
        part = meet(part, place);
      });
      if (!scrolled && (part.left < -1 || part.right > view.innerWidth + 1)) fail('cut', `${what} by the window`);
      return part;
    };

    const isDrawn = remembered((element) => {
      if (!element) return true;
      const style = styleOf(element);
      return style.display !== 'none' && !isForReaders(style) && Number(style.opacity) !== 0 && isDrawn(element.parentElement);
    });
    const isShown = remembered((element) => isDrawn(element) && styleOf(element).visibility === 'visible');

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
      const slopes = element.ownerSVGElement && element.getScreenCTM().b !== 0;
      boxes.forEach((box) => {
        const part = shrunk(seenPart(element, box, what));
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
        if (scrolls(style.overflowX) || cuts(style.overflowX)) return parent;
      }
      return null;
    };
    page.body.querySelectorAll('*:not(svg *)').forEach((element) => {
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

  const frames = [...document.querySelectorAll('iframe')];
  ['light', 'dark'].forEach((scheme) => {
    frames.forEach((frame) => { frame.style.colorScheme = scheme; });
    frames.forEach((frame) => {
      try {
        checkFrame(frame, scheme);
      } catch (error) {
        lines.push(`FAIL ${scheme}, ${frame.src}: the check itself: ${error.stack}`);
      }
    });
  });
  lines.push(`done ${texts} texts in ${frames.length} frames, light and dark`);
  document.getElementById('results').textContent = `\n${lines.join('\n')}\n`;
});
