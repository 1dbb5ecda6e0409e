/** The image of a file, as the service takes it. */
export interface ReadImage {
  readonly content_type: string
  /** In base64. */
  readonly data: string
  /** In pixels. */
  readonly width: number
  readonly height: number
}

const maxBytes = 128 * 1024
const types = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** The files that a person can choose. */
export const acceptedImages = types.join()

/** Reads the image of a file, or says what is wrong with it. The service checks its content again. */
export const readImage = async (file: File): Promise<ReadImage | 'wrong_type' | 'too_large'> => {
  if (!types.includes(file.type)) return 'wrong_type'
  if (file.size > maxBytes) return 'too_large'
  const image = { content_type: file.type, data: await toBase64(file) }
  const drawn = new Image()
  drawn.src = toImageSource({ ...image, width: 0, height: 0 }) ?? ''
  try {
    await drawn.decode()
  } catch {
    return 'wrong_type'
  }
  return { ...image, width: drawn.naturalWidth, height: drawn.naturalHeight }
}

/** An image as it is stored, or a new one. */
export type ShownImage = ReadImage | { readonly url: string }

export const isNewImage = (image: ShownImage | null | undefined): image is ReadImage =>
  image !== null && image !== undefined && 'data' in image

/** What an `img` element shows. The address of a stored image is that of the service, which may have several. */
export const toImageSource = (image: ShownImage | null): string | null => {
  if (image === null) return null
  return isNewImage(image) ? `data:${image.content_type};base64,${image.data}` : new URL(image.url).pathname
}

const toBase64 = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
