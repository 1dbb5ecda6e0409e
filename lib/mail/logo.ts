import { escapeHtml } from '../util/escape-html.ts'
import { type Envelope, getProductName } from './envelope.ts'

/** The largest size of a logo in pixels. */
const maxHeight = 40
const maxWidth = 240

/** Email programs show images of no other types. */
const shownTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Shows whose email it is: by the logo, or by the name of the product. A logo keeps a light ground in dark mode, because
 * dark logos could not be seen otherwise. Programs that load no images show the name.
 */
export const renderLogo = (envelope: Envelope): string => {
  const { branding, publicUrl } = envelope
  const name = escapeHtml(getProductName(envelope))
  const { logo } = branding
  if (!logo || !shownTypes.includes(logo.contentType))
    return `<p class="faint" style="margin:0 0 24px;font-weight:bold">${name}</p>`
  const scale = Math.min(1, maxHeight / logo.height, maxWidth / logo.width)
  const [width, height] = [logo.width, logo.height].map((size) => Math.max(1, Math.round(size * scale)))
  return [
    '<p style="margin:0 0 24px;font-weight:bold">',
    `<img src="${escapeHtml(`${publicUrl}/logos/${logo.hash}`)}" width="${width}" height="${height}" alt="${name}"`,
    ' style="display:block;border:0;padding:6px;margin:-6px;border-radius:6px;background:#ffffff;color:#1f2937"></p>',
  ].join('\n')
}
