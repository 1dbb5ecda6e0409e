/** A logo that was uploaded. It is served at `/logos/{hash}`. */
export interface Logo {
  /** The SHA-256 of the image, in hexadecimal digits. */
  readonly hash: string
  readonly contentType: string
  readonly width: number
  readonly height: number
}

/** How pages and emails look and whom they name. Colors have the form `#rrggbb`. */
export interface Branding {
  readonly productName: string
  readonly logo: Logo | null
  readonly accentColor: string
  readonly backgroundColor: string | null
  readonly supportUrl: string | null
  readonly privacyUrl: string | null
  readonly termsUrl: string | null
}

/** The address of a logo, for pages and emails. `publicUrl` is the origin of the service. */
export const getLogoUrl = (publicUrl: string, { hash }: Pick<Logo, 'hash'>): string =>
  `${publicUrl}/logos/${hash}`

/** The branding of a service that never set one. */
export const defaultBranding: Branding = {
  productName: 'Latchkey',
  logo: null,
  accentColor: '#1d4ed8',
  backgroundColor: null,
  supportUrl: null,
  privacyUrl: null,
  termsUrl: null,
}
