// Steps through the frames of a replay, or of several side by side: by keys, buttons and a slider. It writes texts and
// never markup.
(() => {
  'use strict';
  const data = JSON.parse(document.getElementById('film-data').textContent);
  const film = document.getElementById('film');
  const within = (element, name) => element.querySelector(`[data-part="${name}"]`);
  const part = (name) => within(film, name);
  const lines = [...film.querySelectorAll('article')];
  const word = (index) => data.texts[index];
  // The same lists as those by which the program numbered what drawings are made of.
  const TAGS = ['rect', 'circle', 'line', 'polyline', 'polygon', 'text'];
  const ATTRIBUTES = ['class', 'x', 'y', 'width', 'height', 'rx', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'points',
    'stroke-width', 'text-anchor', 'font-size'];
  const slider = part('slider');
  const viewer = part('viewer');
  const last = Math.max(...data.lines.map((frames) => frames.length)) - 1;
  let at = 0;
  // Of answers that are one entry of the history, the entry has the number by which others know it.
  const numbered = data.lines.length === 1 && data.lines[0].some((frame, index) => frame.entry && frame.entry !== index + 1);

  // Each list is another one with some of its numbers changed.
  const lists = (all) => {
    const whole = [];
    all.forEach(([base, length, ...changes]) => {
      const own = base > 0 ? whole[base - 1].slice(0, length) : [];
      for (let index = 0; index < changes.length; index += 2) own[changes[index]] = changes[index + 1];
      whole.push(own);
    });
    return whole;
  };
  const pictures = lists(data.pictures);
  const drawings = data.drawings.map(([shapes, all]) => ({
    shapes,
    // Drawings of several lines number their shapes apart: what is the same has the same text.
    texts: shapes.map((one) => JSON.stringify(one)),
    drawn: lists(all),
  }));

  const make = (tag, text, kind) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const eyes = () => (viewer ? Number(viewer.value) : 0);
  const rows = (frame) => (pictures[frame.pictures[eyes()]] || []).map(word);

  // A line of the picture, with the part marked that differs from the line that was there.
  const marked = (now, before) => {
    if (before === undefined || now === before) return [document.createTextNode(now)];
    let from = 0;
    while (from < now.length && now[from] === before[from]) from += 1;
    let end = 0;
    const room = Math.min(now.length, before.length) - from;
    while (end < room && now[now.length - 1 - end] === before[before.length - 1 - end]) end += 1;
    const to = now.length - end;
    const all = [document.createTextNode(now.slice(0, from))];
    if (to > from) all.push(make('mark', now.slice(from, to)));
    all.push(document.createTextNode(now.slice(to)));
    return all;
  };

  // An element and attributes of those lists, and a text.
  const shape = ([tag, text, ...attributes], isNew) => {
    const element = document.createElementNS(part('shapes').namespaceURI, TAGS[tag]);
    for (let index = 0; index < attributes.length; index += 2)
      element.setAttribute(ATTRIBUTES[attributes[index]], attributes[index + 1]);
    if (text) element.textContent = text;
    if (isNew) element.classList.add('new');
    return element;
  };

  // The shapes of a frame, each as its text.
  const seen = ({ texts, drawn }, frame) => new Set((drawn[frame.drawn[eyes()]] || []).map((number) => texts[number]));

  // The drawing of a frame, with the shapes marked that are not among the known ones.
  const paint = (own, { shapes, texts, drawn }, frame, known) => {
    if (!own('drawing')) return;
    const all = drawn[frame.drawn[eyes()]];
    const isNew = (number) => !known.has(texts[number]);
    // The text is open where there is nothing else, and as it was left where there is a drawing again.
    if (own('drawing').hidden === Boolean(all)) own('as-text').open = !all;
    own('drawing').hidden = !all;
    // Where nearly all is new, marks would say nothing.
    const marks = (all || []).filter(isNew).length * 2 < known.size;
    own('shapes').replaceChildren(...(all || []).map((number) => shape(shapes[number], marks && isNew(number))));
    own('words').textContent = rows(frame).join('\n');
    own('as-text').hidden = rows(frame).length === 0;
  };

  const fill = (place, children) => {
    place.replaceChildren(...children);
    place.hidden = children.length === 0;
  };

  // A line that ended earlier stays at its end.
  const place = (frames) => Math.min(at, frames.length - 1);

  // What is marked differs from the frame before; in lines side by side, from the first of them, and there from the second.
  const draw = (line, index) => {
    const own = (name) => within(line, name);
    const [frames, drawing] = [data.lines[index], drawings[index]];
    const here = place(frames);
    const frame = frames[here];
    const beside = index === 0 ? 1 : 0;
    const other = lines.length > 1 ? data.lines[beside][place(data.lines[beside])] : frames[here - 1];
    const known = other ? seen(lines.length > 1 ? drawings[beside] : drawing, other) : new Set();
    const asked = frame.seen[eyes()];
    const before = other ? rows(other) : [];
    const picture = [];
    rows(frame).forEach((row, number) => {
      if (number > 0) picture.push(document.createTextNode('\n'));
      picture.push(...marked(row, before[number]));
    });
    own('title').textContent = asked ? word(frame.title) : word(frame.covered);
    fill(own('picture'), picture);
    paint(own, drawing, frame, known);
    fill(own('events'), frame.events.map((event) => make('li', word(event))));
    own('question').textContent = asked ? word(frame.question) : '';
    fill(own('options'), asked ? frame.options.map((option, index) => {
      const item = make('li', word(option));
      if (index === frame.picked) {
        item.className = 'picked';
        item.append(make('strong', frame.chance ? ' fell' : ' was chosen'));
      }
      return item;
    }) : []);
    fill(own('expected'), asked || eyes() === 0 ? frame.expected.map((text) => make('li', word(text))) : []);
    fill(own('clause'), asked && frame.clause.length
      ? [make('summary', word(frame.clause[0])), ...frame.clause.slice(1).map((text) => make('p', word(text)))] : []);
  };

  const show = (to) => {
    at = Math.max(0, Math.min(last, to));
    lines.forEach(draw);
    slider.value = String(at);
    slider.setAttribute('aria-valuetext', part('title').textContent);
    // The entries before it, as `--at` counts them; in the middle of one it is the one that is being answered.
    const before = at > 0 ? data.lines[0][at - 1].entry : 0;
    const { entry } = data.lines[0][at] || {};
    const where = entry === before ? `within entry ${before}` : `after entry ${before}`;
    part('count').textContent = `${at} of ${last}${numbered ? `, ${where}` : ''}`;
    part('first').disabled = part('back').disabled = at === 0;
    part('on').disabled = part('end').disabled = at === last;
    history.replaceState(null, '', `#${at}`);
  };

  part('first').addEventListener('click', () => show(0));
  part('back').addEventListener('click', () => show(at - 1));
  part('on').addEventListener('click', () => show(at + 1));
  part('end').addEventListener('click', () => show(last));
  slider.addEventListener('input', () => show(Number(slider.value)));
  if (viewer) viewer.addEventListener('change', () => show(at));
  document.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const far = { ArrowLeft: at - 1, ArrowRight: at + 1 };
    // Below other parts of a page these keys go through the page.
    if (lines.length === 1 || film.contains(event.target)) {
      Object.assign(far, { PageUp: at - 10, PageDown: at + 10, Home: 0, End: last });
    }
    // A table that scrolls keeps its own keys.
    if (!(event.key in far) || event.target.closest('.wide')) return;
    event.preventDefault();
    show(far[event.key]);
  });
  const marks = part('marks');
  data.marks.forEach(([frame, text]) => {
    const button = make('button', word(text));
    button.type = 'button';
    button.addEventListener('click', () => show(frame));
    const item = make('li');
    item.append(button);
    marks.append(item);
  });
  const fromAddress = () => show(Number.parseInt(location.hash.slice(1), 10) || 0);
  window.addEventListener('hashchange', fromAddress);
  slider.max = String(last);
  film.hidden = false;
  fromAddress();
})();
