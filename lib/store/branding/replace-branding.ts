import { formerLogoLifetimeMs, formerLogosMax } from '../../limits/limits.ts'
import { replaceSettings } from '../directory/replace-settings.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { brandingKey, logoKey } from '../keys/keys.ts'
import type { BrandingFields, FormerLogo, StoredBranding } from './branding-record.ts'
import { buildLogoExpiryStep } from './logo-record.ts'

export interface BrandingChange {
  /** The branding that was read before. */
  readonly before: StoredBranding | undefined
  readonly after: BrandingFields
  readonly nowMs: number
}

/**
 * Replaces the branding that was read before. A logo that nothing uses anymore becomes a former logo, because emails show
 * it. The oldest former logos are deleted when there are too many.
 *
 * @throws EditConflict if the branding was changed since
 */
export const replaceBranding = (
  table: Table,
  { before, after, nowMs }: BrandingChange,
  extraSteps: readonly Step[],
): Promise<void> => {
  const used = listLogos(after)
  const retired = listLogos(before).filter((hash) => !used.includes(hash))
  const until = nowMs + formerLogoLifetimeMs
  const former: readonly FormerLogo[] = [
    ...retired.map((hash) => ({ hash, until })),
    ...(before?.formerLogos ?? []).filter((logo) => logo.until > nowMs && !used.includes(logo.hash)),
  ]
  const deleted = former.slice(formerLogosMax).map(({ hash }) => hash)
  const steps: readonly Step[] = [
    ...retired
      .filter((hash) => !deleted.includes(hash))
      .map((hash): Step => buildLogoExpiryStep(hash, until)),
    ...deleted.map((hash): Step => ({ delete: logoKey(hash) })),
  ]
  const formerLogos = former.slice(0, formerLogosMax)
  return replaceSettings(table, { key: brandingKey, before, fields: { ...after, formerLogos } }, [
    ...steps,
    ...extraSteps,
  ])
}

/** The logos that the service or a product shows, each once. */
const listLogos = (fields: BrandingFields | undefined): readonly string[] => [
  ...new Set(
    [fields?.service, ...(fields?.products ?? [])].flatMap((settings) =>
      settings?.logo ? [settings.logo.hash] : [],
    ),
  ),
]
