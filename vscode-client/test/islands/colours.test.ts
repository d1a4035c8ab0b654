import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { COLOURS } from "../../src/islands/bands";

interface Colour {
  id: string;
  defaults: Record<Theme, string>;
}

const THEMES = ["dark", "light", "highContrast", "highContrastLight"] as const;
type Theme = (typeof THEMES)[number];

type Triple = [number, number, number];

/** How eyes without one kind of cones see linear RGB: Machado, Oliveira and Fernandes, 2009, at full severity. */
const EYES: Record<string, [Triple, Triple, Triple]> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const GROUND: Record<Theme, string> = { dark: "#1f1f1f", light: "#ffffff", highContrast: "#000000", highContrastLight: "#ffffff" };

const colours = new Map(
  (JSON.parse(readFileSync("package.json", "utf8")) as { contributes: { colors: Colour[] } }).contributes.colors.map((colour) => [
    colour.id,
    colour.defaults,
  ]),
);
const GRAPHS = Array.from({ length: COLOURS }, (_, nth) => `island${nth + 1}`);
const BARS = [...GRAPHS, "eager", "skipped"];

function of(name: string, theme: Theme): string {
  const colour = colours.get(`captureLsp.${name}`)?.[theme];
  assert.ok(colour, `${name} has no colour for ${theme}`);
  return colour;
}

test("every bar and every background has a colour in every theme", () => {
  for (const theme of THEMES) {
    for (const name of BARS) {
      assert.match(of(name, theme), /^#[0-9a-f]{6}$/);
      assert.match(of(`${name}Background`, theme), /^#[0-9a-f]{8}$/);
    }
  }
  assert.equal([...colours.keys()].filter((id) => id.startsWith("captureLsp.island")).length, 2 * COLOURS);
});

test("backgrounds are faint, and none in high contrast", () => {
  for (const name of BARS) {
    for (const theme of THEMES) {
      const opacity = parseInt(of(`${name}Background`, theme).slice(7), 16) / 255;
      assert.ok(theme.startsWith("high") ? opacity === 0 : opacity > 0 && opacity < 0.1, `${name} ${theme} ${opacity}`);
    }
  }
});

test("bars stand out from the ground", () => {
  for (const theme of THEMES) {
    for (const name of BARS) {
      const least = theme.startsWith("high") ? 4.5 : 3;
      const got = contrast(of(name, theme), GROUND[theme]);
      assert.ok(got >= least, `${name} ${theme} ${got}`);
    }
  }
});

test("colours that follow one another differ to all eyes", () => {
  for (const theme of THEMES) {
    for (const [nth, name] of GRAPHS.entries()) {
      const next = GRAPHS[(nth + 1) % COLOURS] ?? "";
      for (const [eyes, matrix] of Object.entries(EYES)) {
        const got = distance(of(name, theme), of(next, theme), matrix);
        assert.ok(got >= 25, `${name} ${next} ${theme} ${eyes} ${got}`);
      }
    }
  }
});

test("no graph is red or green", () => {
  for (const theme of THEMES) {
    for (const name of GRAPHS) {
      const hue = hueOf(of(name, theme));
      assert.ok(hue > 20 && hue < 330 && !(hue > 75 && hue < 180), `${name} ${theme} ${hue}`);
    }
  }
});

function rgb(colour: string): Triple {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255) as Triple;
}

function linear(colour: string): Triple {
  return rgb(colour).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as Triple;
}

function dot(a: Triple, b: Triple): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function luminance(colour: string): number {
  return dot([0.2126, 0.7152, 0.0722], linear(colour));
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

/** CIE 1976. */
function distance(a: string, b: string, eyes: [Triple, Triple, Triple]): number {
  const [p, q] = [lab(a, eyes), lab(b, eyes)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

function lab(colour: string, eyes: [Triple, Triple, Triple]): Triple {
  const seen = eyes.map((row) => Math.min(1, Math.max(0, dot(row, linear(colour))))) as Triple;
  const x = root(dot([0.4124564, 0.3575761, 0.1804375], seen) / 0.95047);
  const y = root(dot([0.2126729, 0.7151522, 0.072175], seen));
  const z = root(dot([0.0193339, 0.119192, 0.9503041], seen) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function root(value: number): number {
  return value > 216 / 24389 ? Math.cbrt(value) : ((24389 / 27) * value + 16) / 116;
}

function hueOf(colour: string): number {
  const [r, g, b] = rgb(colour);
  const [high, low] = [Math.max(r, g, b), Math.min(r, g, b)];
  const sector = high === r ? (g - b) / (high - low) : high === g ? 2 + (b - r) / (high - low) : 4 + (r - g) / (high - low);
  return (sector * 60 + 360) % 360;
}
