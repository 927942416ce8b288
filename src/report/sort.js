// Sorts tables by a column and lets rows be filtered. It moves and hides rows that are there, and adds nothing but
// buttons and a field.
(() => {
  'use strict';
  // Of points of games the share in percent, so that computed shares stand among them.
  const number = (text) => {
    const plain = text.replace(/[\u2009, ](?=\d)/g, '').replace('−', '-');
    const share = plain.match(/^(\d+(?:\.\d+)?)\/(\d+)/);
    if (share) return 100 * share[1] / Math.max(1, share[2]);
    const found = plain.match(/^[<>=~ ]*([-+]?\d+(\.\d+)?)/);
    return found ? Number(found[1]) : undefined;
  };
  const compare = (a, b) => {
    const [x, y] = [number(a), number(b)];
    if (x !== undefined && y !== undefined) return x - y;
    if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
    return a.localeCompare(b);
  };
  document.querySelectorAll('table.sorts').forEach((table) => {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      button.addEventListener('click', () => {
        const down = head.getAttribute('aria-sort') === 'ascending';
        heads.forEach((other) => other.removeAttribute('aria-sort'));
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const text = (row) => row.cells[column].textContent;
        const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(text(a), text(b)));
        body.append(...rows);
      });
      head.replaceChildren(button);
    });
    if (body.rows.length < 9) return;
    const label = document.createElement('label');
    label.className = 'filter';
    label.textContent = 'Rows with ';
    const field = document.createElement('input');
    field.type = 'search';
    field.addEventListener('input', () => {
      const wanted = field.value.toLowerCase();
      [...body.rows].forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    });
    label.append(field);
    table.closest('.wide').before(label);
  });
})();
