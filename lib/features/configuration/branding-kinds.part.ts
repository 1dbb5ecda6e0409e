import { logoKinds } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import type { Logo } from '../branding/brand.models.ts'
import { getSettings } from '../branding/branding-body.ts'
import type { LogoUpload } from '../branding/models.ts'
import { describeUpload, summarizeLogo } from '../branding/read-logo.ts'
import { type BrandingSettings, findBrandingRecord, findLogo, unsetBranding } from '../branding/records.ts'
import { replaceWholeBranding } from '../branding/use-cases.ts'
import { entries, type ImageReference } from './document.models.ts'
import { asBody, type KindOfSettings, listFields, type Values } from './kind.part.ts'
import { listSettingsKeys } from './managed.records.ts'

/** What both brandings have in common. `productOf` is the name of a product in a key. */
const describeBranding = (
  kind: 'branding' | 'product_branding',
  productOf: (key: string) => string | undefined,
): KindOfSettings => {
  const fields = listFields(entries[kind].def.shape)
  const select = (settings: object): Values =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => fields.includes(name)))
  return {
    fields,
    defaults: select(unsetBranding),
    references: {},
    weaker: Object.fromEntries(fields.map((name) => [name, 'never'])),
    initial: [select(unsetBranding)],
    // What was set, and not what pages show.
    read: async ({ services: { table } }, key) =>
      select(summarizeLogos(getSettings(await findBrandingRecord(table), productOf(key)))),
    update: ({ services, context }, values, key) =>
      replaceWholeBranding(services, context, productOf(key), asBody(values)),
    check: (services, values, key) => [
      ...(isProduct(services, productOf(key))
        ? []
        : [{ field: '', message: 'must be the name of a product in the setting `linkUrl`' }]),
      ...listImages(values).flatMap(([name, image]) =>
        image?.file === undefined
          ? []
          : [{ field: `${name}.file`, message: 'is read by the command only. Send content_type and data' }],
      ),
    ],
    summarize: (values) => ({
      ...values,
      ...Object.fromEntries(
        listImages(values).map(([name, image]) => [name, image && describeUpload(image as LogoUpload)]),
      ),
    }),
    toEntry: async ({ table, now }, values) => {
      const images = await Promise.all(
        logoKinds.map(async (name) => {
          const summary = values[name] as { readonly sha256: string } | null
          const logo = summary && (await findLogo(table, summary.sha256, now()))
          return [name, logo ? { content_type: logo.contentType, data: logo.data } : null] as const
        }),
      )
      return { ...values, ...Object.fromEntries(images) }
    },
  }
}

const isProduct = ({ config }: Services, product: string | undefined): boolean =>
  product === undefined || config.linkProducts.some(({ name }) => name === product)

const listImages = (values: Values): readonly (readonly [name: string, ImageReference | null])[] =>
  logoKinds.flatMap((name) => {
    const image = values[name] as ImageReference | null | undefined
    return image === undefined ? [] : [[name, image] as const]
  })

const summarizeLogos = (settings: BrandingSettings): object => {
  const summarize = (logo: Logo | null) => logo && summarizeLogo(logo)
  return { ...settings, ...Object.fromEntries(logoKinds.map((name) => [name, summarize(settings[name])])) }
}

export const brandingKinds = {
  branding: describeBranding('branding', () => undefined),
  product_branding: {
    ...describeBranding('product_branding', (key) => key),
    listKeys: ({ config }) => listSettingsKeys(config, 'product_branding'),
  },
} as const satisfies Readonly<Record<string, KindOfSettings>>
