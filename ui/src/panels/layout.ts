/** A node of a drawing, and a line between two. */
export interface Spot {
  id: string;
  x: number;
  y: number;
  vx: number;
  vy: number;
  weight: number;
}

/**
 * Places nodes so that what is linked stands close and the rest apart: springs
 * along the links, repulsion between all, a pull to the middle. The start is a
 * spiral, so that the same graph is always drawn the same way.
 */
export function settle(ids: string[], links: [string, string][], before: Map<string, Spot>, rounds = 300): Map<string, Spot> {
  const spots = ids.map((id, i): Spot => {
    const old = before.get(id);
    const a = i * 2.399963; // the golden angle
    const r = 26 * Math.sqrt(i + 0.5);
    return { id, x: old?.x ?? r * Math.cos(a), y: old?.y ?? r * Math.sin(a), vx: 0, vy: 0, weight: 0 };
  });
  const byID = new Map(spots.map((s) => [s.id, s]));
  const ends = links.map(([a, b]) => [byID.get(a), byID.get(b)] as const).filter((e): e is readonly [Spot, Spot] => !!e[0] && !!e[1] && e[0] !== e[1]);
  for (const [a, b] of ends) {
    a.weight++;
    b.weight++;
  }
  const steps = spots.length > 400 ? 60 : rounds;
  for (let n = 0; n < steps; n++) step(spots, ends, 1 - n / steps);
  return byID;
}

function step(spots: Spot[], ends: (readonly [Spot, Spot])[], heat: number): void {
  for (let i = 0; i < spots.length; i++) {
    const a = spots[i]!;
    for (let j = i + 1; j < spots.length; j++) {
      const b = spots[j]!;
      const dx = a.x - b.x || 0.01;
      const dy = a.y - b.y || 0.01;
      const push = 5200 / Math.max(80, dx * dx + dy * dy);
      const d = Math.hypot(dx, dy);
      a.vx += (dx / d) * push;
      a.vy += (dy / d) * push;
      b.vx -= (dx / d) * push;
      b.vy -= (dy / d) * push;
    }
    a.vx -= a.x * 0.008;
    a.vy -= a.y * 0.008;
  }
  for (const [a, b] of ends) {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const d = Math.hypot(dx, dy) || 0.01;
    const pull = (d - 120) * 0.03;
    a.vx += (dx / d) * pull;
    a.vy += (dy / d) * pull;
    b.vx -= (dx / d) * pull;
    b.vy -= (dy / d) * pull;
  }
  for (const s of spots) {
    const speed = Math.hypot(s.vx, s.vy);
    const most = 30 * heat + 0.5;
    const f = speed > most ? most / speed : 1;
    s.x += s.vx * f;
    s.y += s.vy * f;
    s.vx *= 0.55;
    s.vy *= 0.55;
  }
}
