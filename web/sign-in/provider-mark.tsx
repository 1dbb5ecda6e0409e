interface Mark {
  readonly viewBox: string
  /** Missing if its shapes are filled. */
  readonly lineWidth?: number
  readonly shapes: readonly (readonly [color: string, path: string])[]
}

/**
 * The marks of providers that everybody can have an account at, by their preset. Their colors are the same in dark mode and in all
 * languages. See "Sign in with Google Branding Guidelines" and Microsoft's "Branding guidelines for applications". `page.css` has the
 * colors of their buttons.
 */
const marks: ReadonlyMap<string | undefined, Mark> = new Map<string, Mark>([
  [
    'google',
    {
      viewBox: '4 4 40 40',
      lineWidth: 8,
      // A ring of four parts, of which the last goes on to the center.
      shapes: [
        ['#ea4335', 'M9.5 17.2A16 16 0 0 1 34.7 12.1'],
        ['#fbbc05', 'M9.5 30.8a16 16 0 0 1 0-13.6'],
        ['#34a853', 'M34.3 36.3A16 16 0 0 1 9.5 30.8'],
        ['#4285f4', 'M24 24h16a16 16 0 0 1-5.7 12.3'],
      ],
    },
  ],
  [
    'microsoft',
    {
      viewBox: '0 0 21 21',
      shapes: [
        ['#f25022', 'M0 0h10v10H0z'],
        ['#7fba00', 'M11 0h10v10H11z'],
        ['#00a4ef', 'M0 11h10v10H0z'],
        ['#ffb900', 'M11 11h10v10H11z'],
      ],
    },
  ],
])

/** The class of the button of a provider. */
export const lookOfProvider = (preset: string | undefined): string =>
  marks.has(preset) ? `button provider ${preset}` : 'button secondary'

/** The mark of a provider, for the eye alone. Nothing without a known preset. */
export const ProviderMark = ({ preset }: { readonly preset: string | undefined }) => {
  const mark = marks.get(preset)
  return mark ? (
    <svg viewBox={mark.viewBox} fill="none" stroke-width={mark.lineWidth} aria-hidden="true">
      {mark.shapes.map(([color, path]) => (
        <path key={color} {...(mark.lineWidth ? { stroke: color } : { fill: color })} d={path} />
      ))}
    </svg>
  ) : null
}
