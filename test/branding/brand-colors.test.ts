import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BrandColors,
  checkBrandColors,
  contrastRatio,
  deriveBrandColors,
} from '../../lib/features/branding/brand-colors.ts'

const channel = fc.integer({ min: 0, max: 255 })
const color = fc
  .tuple(channel, channel, channel)
  .map((channels) => `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`)
const brand = fc.record<BrandColors>({
  accent_color: color,
  background_color: fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 3, arbitrary: color }),
})
const acceptedBrand = brand.filter((colors) => checkBrandColors(colors).length === 0)

describe('the contrast of two colors', () => {
  it('is that of WCAG 2.2, in either order', () => {
    expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrastRatio('#ffffff', '#767676')).toBeCloseTo(4.54, 2)
    expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
    expect(contrastRatio('#1d4ed8', '#1d4ed8')).toBe(1)
  })
})

describe('the colors of a page', () => {
  it('are readable for every accepted brand', () => {
    fc.assert(
      fc.property(acceptedBrand, (colors) => {
        for (const scheme of Object.values(deriveBrandColors(colors))) {
          for (const area of [scheme['--surface'], scheme['--background'], scheme['--error-background']]) {
            expect(contrastRatio(scheme['--text'], area)).toBeGreaterThanOrEqual(4.5)
            expect(contrastRatio(scheme['--link'], area)).toBeGreaterThanOrEqual(4.5)
            expect(contrastRatio(scheme['--focus'], area)).toBeGreaterThanOrEqual(3)
          }
          expect(contrastRatio(scheme['--on-accent'], scheme['--accent'])).toBeGreaterThanOrEqual(4.5)
          expect(contrastRatio(scheme['--accent-line'], scheme['--surface'])).toBeGreaterThanOrEqual(3)
          expect(contrastRatio(scheme['--border'], scheme['--surface'])).toBeGreaterThanOrEqual(3)
          for (const state of ['error', 'warning', 'success'] as const)
            for (const area of [scheme['--surface'], scheme[`--${state}-background`]])
              expect(contrastRatio(scheme[`--${state}`], area)).toBeGreaterThanOrEqual(4.5)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('keep the accent and the background of the brand in the light scheme', () => {
    fc.assert(
      fc.property(acceptedBrand, ({ accent_color, background_color }) => {
        const { light } = deriveBrandColors({ accent_color, background_color })
        expect(light['--accent']).toBe(accent_color)
        expect(light['--background']).toBe(background_color ?? '#f3f4f6')
      }),
    )
  })

  it('are nothing but colors, and the same for capital letters', () => {
    const { light, dark } = deriveBrandColors({ accent_color: '#1D4ED8', background_color: '#FAFAFA' })
    expect({ light, dark }).toEqual(
      deriveBrandColors({ accent_color: '#1d4ed8', background_color: '#fafafa' }),
    )
    for (const value of [...Object.values(light), ...Object.values(dark)])
      expect(value).toMatch(/^#[0-9a-f]{6}$/)
  })

  it('choose black or white text, whichever is easier to read on the accent', () => {
    const white = deriveBrandColors({ accent_color: '#1d4ed8', background_color: null })
    const black = deriveBrandColors({ accent_color: '#e06c00', background_color: null })
    expect([white.light['--on-accent'], black.light['--on-accent']]).toEqual(['#ffffff', '#000000'])
  })
})

describe.each([
  ['red', '#e2001a'],
  ['yellow', '#ffd400'],
  ['white', '#ffffff'],
  ['no', '#1d4ed8'],
])('with a brand of %s color', (_, accent_color) => {
  const schemes = Object.entries(deriveBrandColors({ accent_color, background_color: null }))

  it.each(schemes)('the button and what surrounds it can be seen in the %s scheme', (_, scheme) => {
    expect(contrastRatio(scheme['--on-accent'], scheme['--accent'])).toBeGreaterThanOrEqual(4.5)
    expect(contrastRatio(scheme['--accent-line'], scheme['--surface'])).toBeGreaterThanOrEqual(3)
    expect(contrastRatio(scheme['--link'], scheme['--surface'])).toBeGreaterThanOrEqual(4.5)
  })

  it.each(schemes)(
    'states and focused fields look as with every other brand in the %s scheme',
    (name, scheme) => {
      const plain = deriveBrandColors({ accent_color: '#1d4ed8', background_color: null })
      const states = [
        '--success',
        '--success-background',
        '--warning',
        '--warning-background',
        '--error',
      ] as const
      for (const state of states) expect(scheme[state]).toBe(plain[name === 'dark' ? 'dark' : 'light'][state])
      expect(new Set(states.map((state) => scheme[state])).size).toBe(states.length)
      expect(scheme['--focus']).not.toBe(scheme['--error'])
    },
  )
})

it('a red brand has a focus in the color of text, so that no field looks wrong', () => {
  for (const accent_color of ['#e2001a', '#b91c1c', '#dc2626'])
    for (const scheme of Object.values(deriveBrandColors({ accent_color, background_color: null })))
      expect(scheme['--focus']).toBe(scheme['--text'])
})

describe('the check of the colors', () => {
  it('accepts each accent, and exactly the backgrounds on which text can be read', () => {
    fc.assert(
      fc.property(brand, (colors) => {
        const { background_color } = colors
        const isReadable = background_color === null || contrastRatio(background_color, '#1f2937') >= 4.5
        expect(checkBrandColors(colors).length === 0).toBe(isReadable)
      }),
      { numRuns: 300 },
    )
  })

  it('says which contrast is there and which is needed', () => {
    expect(checkBrandColors({ accent_color: '#facc15', background_color: '#334155' })).toEqual([
      {
        field: 'background_color',
        message:
          'has a contrast of 1.41:1 with the text of the pages (#1f2937). At least 4.5:1 is needed: choose a lighter color',
      },
    ])
  })

  it.each(['red', '#fff', '#1d4ed8;}', '#1d4ed8\n', 'url(https://evil.example)', '#1d4ed', '', '#１d4ed8'])(
    'refuses %j, which is not a color of six digits',
    (text) => {
      const errors = checkBrandColors({ accent_color: text, background_color: text })
      expect(errors.map(({ field }) => field)).toEqual(['accent_color', 'background_color'])
      for (const { message } of errors) expect(message).toBe('must be a color of the form #rrggbb')
    },
  )
})
