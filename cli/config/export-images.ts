import { basename, dirname, extname, join } from 'node:path'
import type {
  ConfigurationDocument,
  ImageReference,
} from '../../lib/features/configuration/document.models.ts'
import { findExtension } from '../../lib/features/configuration/image-types.ts'
import { logoKinds } from '../../lib/kernel/limits/limits.ts'

/** An image that an export writes beside its file. */
interface ExportedImage {
  readonly path: string
  readonly bytes: Buffer
}

/** Replaces the images of a document by files beside it, such as `exported-logo.png`. */
export const separateImages = (
  { branding, products, ...document }: ConfigurationDocument,
  file: string,
): { readonly document: ConfigurationDocument; readonly images: readonly ExportedImage[] } => {
  const images: ExportedImage[] = []
  const stem = basename(file, extname(file))
  const separate = <Entry extends object>(entry: Entry, label: string): Entry => ({
    ...entry,
    ...Object.fromEntries(
      logoKinds.flatMap((kind) => {
        const { content_type, data } =
          (entry as { readonly [name: string]: ImageReference | undefined })[kind] ?? {}
        if (content_type === undefined || data === undefined) return []
        const name = `${[stem, label, kind.replace('_', '-')].filter((part) => part !== '').join('-')}${findExtension(content_type)}`
        images.push({ path: join(dirname(file), name), bytes: Buffer.from(data, 'base64') })
        return [[kind, { file: `./${name}` }]]
      }),
    ),
  })
  return {
    document: {
      ...document,
      ...(branding && { branding: separate(branding, '') }),
      ...(products && {
        products: Object.fromEntries(
          Object.entries(products).map(([name, entry], at) => [name, separate(entry, labelOf(name, at))]),
        ),
      }),
    },
    images,
  }
}

/** The name of a product in the name of a file. The number keeps two names apart that differ in other characters only. */
const labelOf = (name: string, at: number): string =>
  `${at + 1}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.replace(/-+$/, '')
