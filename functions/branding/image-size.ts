/** The size of an image in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}
