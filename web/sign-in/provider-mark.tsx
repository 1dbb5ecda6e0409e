import { type Mark, providerMarks } from '../../lib/features/connections/public-providers.models.ts'

const marks: ReadonlyMap<string | undefined, Mark | null> = new Map(Object.entries(providerMarks))

/** The class of the button of a provider. */
export const lookOfProvider = (preset: string | undefined): string =>
  marks.get(preset) ? `button provider ${preset}` : 'button secondary'

/** The mark of a provider, for the eye alone. Nothing for a provider without one. */
export const ProviderMark = ({ preset }: { readonly preset: string | undefined }) => {
  const mark = marks.get(preset)
  return mark ? (
    <svg viewBox={mark.viewBox} fill="none" stroke-width={mark.lineWidth ?? undefined} aria-hidden="true">
      {mark.shapes.map(([color, path]) => (
        <path key={color} {...(mark.lineWidth ? { stroke: color } : { fill: color })} d={path} />
      ))}
    </svg>
  ) : null
}
