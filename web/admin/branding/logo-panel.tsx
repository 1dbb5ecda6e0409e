import { useEffect, useState } from 'preact/hooks'
import { contrastRatio, deriveBrandColors } from '../../../lib/features/branding/brand-colors.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { FieldFrame } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'
import { getBrandingCalls, type ImageKind, type LoadedBranding } from './branding-calls.ts'

const t = messagesOf('branding')

const maxBytes = 128 * 1024
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const headings = { logo: 'logo', dark_logo: 'darkLogo', icon: 'icon' } as const
const hints = { logo: 'logoHint', dark_logo: 'darkLogoHint', icon: 'iconHint' } as const

interface LogoPanelProps {
  readonly kind: ImageKind
  readonly branding: LoadedBranding
  readonly onChange: () => void
}

/** Shows, uploads and removes an image. The service checks its content. */
export const LogoPanel = ({ kind, branding: { product, stored, effective }, onChange }: LogoPanelProps) => {
  const [problem, setProblem] = useState('')
  const image = stored[kind]
  const path = image && new URL(image.url).pathname
  const heading = t(headings[kind])
  const calls = getBrandingCalls(product)
  const warning = useVisibilityWarning(kind, path, effective.dark_logo !== null)
  const upload = useConfirmedAction(async (file: File) => {
    await calls.upload({ kind, content_type: file.type, data: await toBase64(file) })
    showToast(t('logoSaved'))
    onChange()
    return undefined
  })
  const remove = useConfirmedAction(async () => {
    await calls.deleteLogo(kind)
    showToast(t('logoRemoved'))
    onChange()
    return undefined
  })
  const choose = (file: File | undefined): void => {
    if (!file) return
    const found = describeFileProblem(file)
    setProblem(found)
    if (!found) void upload.run(file)
  }
  return (
    <Panel heading={heading} intro={t(hints[kind])}>
      {path ? <img class={`logo ${kind}`} src={path} alt={heading} /> : <p>{t('noLogo')}</p>}
      <Alert kind="warning">{warning}</Alert>
      <FieldFrame label={t('chooseImage', { image: heading })} problem={problem}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept={types.join()}
            onChange={(event) => {
              choose(event.currentTarget.files?.[0])
              // The same file can be chosen again after it was changed.
              event.currentTarget.value = ''
            }}
          />
        )}
      </FieldFrame>
      <FailureAlert failure={upload.failure ?? remove.failure} />
      {image && (
        <div class="row">
          <Button look="danger" isRunning={remove.isRunning} onClick={() => void remove.run()}>
            {t('removeImage', { image: heading })}
          </Button>
        </div>
      )}
    </Panel>
  )
}

const describeFileProblem = ({ size, type }: File): string => {
  if (!types.includes(type)) return t('logoWrongType')
  return size > maxBytes ? t('logoTooLarge') : ''
}

const toBase64 = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
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
