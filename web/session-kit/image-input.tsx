import { useState } from 'preact/hooks'
import { FieldFrame } from '../kit/field.tsx'
import { acceptedImages, type ReadImage, readImage } from './read-image.ts'

interface ImageInputProps {
  readonly label: string
  readonly hint?: string
  /** What the service says of the image. What the browser finds wrong with a chosen file comes first. */
  readonly problem?: string | false | undefined
  /** Messages about a file that is no image of an accepted type and size. */
  readonly unreadable: Readonly<Record<'wrong_type' | 'too_large', string>>
  readonly onRead: (image: ReadImage) => void
}

/** Lets a person choose an image. The service checks its content. */
export const ImageInput = ({ label, hint, problem, unreadable, onRead }: ImageInputProps) => {
  const [found, setFound] = useState('')
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const image = await readImage(file)
    setFound(typeof image === 'string' ? unreadable[image] : '')
    if (typeof image !== 'string') onRead(image)
  }
  return (
    <FieldFrame label={label} hint={hint} problem={found || problem}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          accept={acceptedImages}
          onChange={(event) => {
            void choose(event.currentTarget.files?.[0])
            // The same file can be chosen again after it was changed.
            event.currentTarget.value = ''
          }}
        />
      )}
    </FieldFrame>
  )
}
