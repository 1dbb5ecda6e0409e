import { useEffect, useState } from 'preact/hooks'
import { contrastRatio, deriveBrandColors } from '../../../lib/features/branding/brand-colors.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { ImageInput } from '../../session-kit/image-input.tsx'
import { toImageSource } from '../../session-kit/read-image.ts'
import type { BodyForm } from '../kit/body-fields.tsx'
import { Panel } from '../kit/panel.tsx'
import { type BrandingBody, findShownImage, type ImageKind, type LoadedBranding } from './branding-calls.ts'

const t = messagesOf('branding')

const headings = { logo: 'logo', dark_logo: 'darkLogo', icon: 'icon' } as const
const hints = { logo: 'logoHint', dark_logo: 'darkLogoHint', icon: 'iconHint' } as const

interface LogoPanelProps {
  readonly kind: ImageKind
  readonly branding: LoadedBranding
  readonly form: BodyForm<BrandingBody>
}

/** Shows, chooses and removes an image, which the form saves. The service checks its content. */
export const LogoPanel = ({ kind, branding, form }: LogoPanelProps) => {
  const { value } = form
  const source = toImageSource(value[kind])
  const heading = t(headings[kind])
  form.labels.set(kind, heading)
  const hasDarkLogo = findShownImage('dark_logo', branding, value) !== null
  const warning = useVisibilityWarning(kind, source, hasDarkLogo)
  return (
    <Panel heading={heading} intro={t(hints[kind])}>
      {source ? <img class={`logo ${kind}`} src={source} alt={heading} /> : <p>{t('noLogo')}</p>}
      <Alert kind="warning">{warning}</Alert>
      <ImageInput
        label={t('chooseImage', { image: heading })}
        unreadable={{ wrong_type: t('logoWrongType'), too_large: t('logoTooLarge') }}
        onRead={(image) => form.set({ [kind]: image })}
      />
      {source && (
        <div class="row">
          <Button look="secondary" onClick={() => form.set({ [kind]: null })}>
            {t('removeImage', { image: heading })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** Warns of a logo that can hardly be seen on the light or the dark pages. Icons are on the ground of the browser. */
const useVisibilityWarning = (
  kind: ImageKind,
  path: string | null,
  hasDarkLogo: boolean,
): string | undefined => {
  const [warning, setWarning] = useState<string | undefined>()
  useEffect(() => {
    setWarning(undefined)
    if (path === null || kind === 'icon') return
    const { light, dark } = deriveBrandColors({ accent_color: '#1d4ed8', background_color: null })
    const check = async (): Promise<string | undefined> => {
      const pixels = await readPixels(path)
      const own = kind === 'logo' ? light : dark
      if (isHardToSee(pixels, own['--surface'])) return t('hardToSee')
      const isShownInDark = kind === 'logo' && !hasDarkLogo
      return isShownInDark && isHardToSee(pixels, dark['--surface']) ? t('hardInDark') : undefined
    }
    let isCurrent = true
    // An image that the browser cannot draw has no warning: the page shows that it is broken.
    check().then(
      (found) => isCurrent && setWarning(found),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [kind, path, hasDarkLogo])
  return warning
}

/** The image in this many pixels in each direction shows enough of its colors. */
const drawnSize = 48

const readPixels = async (path: string): Promise<Uint8ClampedArray> => {
  const image = new Image()
  image.src = path
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = drawnSize
  canvas.height = drawnSize
  const context = canvas.getContext('2d')
  if (!context) return new Uint8ClampedArray()
  context.drawImage(image, 0, 0, drawnSize, drawnSize)
  return context.getImageData(0, 0, drawnSize, drawnSize).data
}

/** Whether most of what an image draws has nearly the color of the ground. An image with a ground of its own can be seen. */
const isHardToSee = (pixels: Uint8ClampedArray, ground: string): boolean => {
  const drawn: string[] = []
  for (let at = 0; at < pixels.length; at += 4)
    if ((pixels[at + 3] ?? 0) > 127) drawn.push(toHex(pixels.subarray(at, at + 3)))
  if (drawn.length > 0.95 * drawnSize ** 2) return false
  return drawn.filter((color) => contrastRatio(color, ground) < 2).length > drawn.length * 0.4
}

const toHex = (channels: Uint8ClampedArray): string =>
  `#${Array.from(channels, (value) => value.toString(16).padStart(2, '0')).join('')}`
