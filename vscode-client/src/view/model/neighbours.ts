/** Where the arrow keys lead from a node of a drawn graph. */

import type { Box, Layout } from "./layout";

export type Direction = "up" | "down" | "left" | "right";

/** Up and down along an edge, to the nearest; left and right to the next in the same layer. */
export function neighbour({ boxes, lines }: Layout, id: string, direction: Direction): string | null {
  const from = boxes.find((box) => box.id === id);
  if (from === undefined) return null;
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const targets =
    direction === "down"
      ? lines.filter((line) => line.from === id).map((line) => byId.get(line.to))
      : direction === "up"
        ? lines.filter((line) => line.to === id).map((line) => byId.get(line.from))
        : boxes.filter((box) => inLayer(box, from) && (direction === "left" ? box.x < from.x : box.x > from.x));
  const reachable = targets.filter((box) => box !== undefined);
  const nearest = reachable.sort((one, other) => distance(one, from) - distance(other, from))[0];
  return nearest?.id ?? null;
}

function centre(box: Box): { x: number; y: number } {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function inLayer(box: Box, other: Box): boolean {
  return Math.abs(centre(box).y - centre(other).y) < Math.max(box.height, other.height) / 2;
}

function distance(box: Box, other: Box): number {
  const one = centre(box);
  const two = centre(other);
  return Math.hypot(one.x - two.x, one.y - two.y);
}
