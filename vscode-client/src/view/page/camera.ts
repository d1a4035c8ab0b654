/** Zoom and pan of a drawing: by wheel, drag and keys. */

import type { Camera } from "./state";

const LEAST = 0.1;
const MOST = 3;
const STEP = 1.2;
const PAN = 60;
/** Text is readable down to here; a drawing that needs less is not fitted whole but shown from its top. */
const READABLE = 0.6;
const FROM_TOP = 0.85;

export interface Extent {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Extent {
  readonly x: number;
  readonly y: number;
}

/** All of it, or, if it would be too small to read, its upper part, about the column `middle`. */
export function fitting(drawing: Extent, window: Extent, middle: number): Camera {
  if (drawing.width === 0 || window.width === 0) return { x: 0, y: 0, zoom: 1 };
  const whole = Math.min(window.width / drawing.width, window.height / drawing.height, 1);
  if (whole < READABLE) return { zoom: FROM_TOP, x: window.width / 2 - middle * FROM_TOP, y: 0 };
  const zoom = whole;
  return {
    zoom,
    x: (window.width - drawing.width * zoom) / 2,
    y: Math.max(0, (window.height - drawing.height * zoom) / 2),
  };
}

/** Another zoom; what is under the point stays there. */
export function zoomed(camera: Camera, factor: number, { x, y }: { x: number; y: number }): Camera {
  const zoom = Math.min(MOST, Math.max(LEAST, camera.zoom * factor));
  const real = zoom / camera.zoom;
  return { zoom, x: x - (x - camera.x) * real, y: y - (y - camera.y) * real };
}

/** Moved no more than needed for the area to be seen; centred if it was not seen at all. */
export function showing(camera: Camera, area: Area, window: Extent): Camera {
  const margin = 24;
  const left = area.x * camera.zoom + camera.x;
  const top = area.y * camera.zoom + camera.y;
  const width = area.width * camera.zoom;
  const height = area.height * camera.zoom;
  const inside =
    left >= margin && top >= margin && left + width <= window.width - margin && top + height <= window.height - margin;
  if (inside) return camera;
  return {
    zoom: camera.zoom,
    x: camera.x + (window.width - width) / 2 - left,
    y: camera.y + (window.height - height) / 2 - top,
  };
}

export function controlled(element: SVGSVGElement, get: () => Camera, set: (camera: Camera) => void, fit: () => void): void {
  const middle = (): { x: number; y: number } => ({ x: element.clientWidth / 2, y: element.clientHeight / 2 });

  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const factor = Math.exp(-event.deltaY * lines * 0.0016);
      set(zoomed(get(), factor, { x: event.clientX - left, y: event.clientY - top }));
    },
    { passive: false },
  );

  let drag: { x: number; y: number; camera: Camera; moved: boolean } | null = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button === 0) drag = { x: event.clientX, y: event.clientY, camera: get(), moved: false };
  });
  element.addEventListener("pointermove", (event) => {
    if (drag === null) return;
    const x = event.clientX - drag.x;
    const y = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(x, y) < 4) return;
    if (!drag.moved) element.setPointerCapture(event.pointerId);
    drag.moved = true;
    element.classList.add("dragged");
    set({ ...drag.camera, x: drag.camera.x + x, y: drag.camera.y + y });
  });
  const end = (): void => {
    drag = null;
    element.classList.remove("dragged");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const camera = get();
    const pan = (x: number, y: number): void => set({ ...camera, x: camera.x + x, y: camera.y + y });
    const onDrawing = event.target === element;
    if (event.key === "+" || event.key === "=") set(zoomed(camera, STEP, middle()));
    else if (event.key === "-") set(zoomed(camera, 1 / STEP, middle()));
    else if (event.key === "0") fit();
    else if (onDrawing && event.key === "ArrowUp") pan(0, PAN);
    else if (onDrawing && event.key === "ArrowDown") pan(0, -PAN);
    else if (onDrawing && event.key === "ArrowLeft") pan(PAN, 0);
    else if (onDrawing && event.key === "ArrowRight") pan(-PAN, 0);
    else return;
    event.preventDefault();
  });
}

export function zoomedByStep(camera: Camera, nearer: boolean, window: Extent): Camera {
  return zoomed(camera, nearer ? STEP : 1 / STEP, { x: window.width / 2, y: window.height / 2 });
}
