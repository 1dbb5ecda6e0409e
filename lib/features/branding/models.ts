import * as z from 'zod/mini'
import { exampleLogo, exampleUrl } from '../../accounts/example-values.models.ts'
import { anyText, flag, int32, nonEmptyText, text } from '../../kernel/contract/fields.ts'
import { changes, field, model, settable, sharedFields } from '../../kernel/contract/model.ts'
import { languages } from '../../kernel/i18n/languages.ts'
import {
  brandedProductsMax,
  brandTextsMax,
  cornerRadii,
  logoKinds,
  logoPixels,
  senderNameMax,
} from '../../kernel/limits/limits.ts'

const maxLogoBytes = 128 * 1024
/** Base64 has four characters for three bytes. */
const maxLogoCharacters = Math.ceil(maxLogoBytes / 3) * 4
const exampleBrandingLogo = docs && { url: `${exampleUrl}/logos/${exampleLogo.hash}`, width: 16, height: 16 }

export const BrandingLogo = model(
  {
    url: field(
      anyText,
      docs && {
        description:
          'The address of the image. It changes with the image. It stays readable for a year after the logo was replaced.',
        example: exampleBrandingLogo.url,
      },
    ),
    width: field(int32, docs && { description: 'The width in pixels.', example: 16 }),
    height: field(int32, docs && { description: 'The height in pixels.', example: 16 }),
  },
  docs && { description: 'An uploaded logo.', example: exampleBrandingLogo },
)

const cornerRadius = z.enum(cornerRadii)

const exampleTexts = docs && {
  language: 'de' as const,
  greeting: 'Willkommen bei Acme.',
  footer: 'Acme GmbH, Hauptstraße 1, Berlin',
  support_url: 'https://www.example.com/hilfe',
}

/** What the product says to the readers of one language. */
export const BrandingTexts = model(
  {
    language: field(z.enum(languages), docs && { description: 'The language of the texts.', example: 'de' }),
    greeting: field(
      z.nullish(text(brandTextsMax.greeting)),
      docs && {
        description: `One line on the sign-in page, of at most ${brandTextsMax.greeting} characters. Null for none.`,
        example: exampleTexts.greeting,
      },
    ),
    footer: field(
      z.nullish(text(brandTextsMax.footer)),
      docs && {
        description: `One line at the end of pages and emails, of at most ${brandTextsMax.footer} characters. Null for none.`,
        example: exampleTexts.footer,
      },
    ),
    support_url: field(
      z.nullish(text(500)),
      docs && {
        description: 'Where these readers find help. Null for the `support_url` of all languages.',
        example: exampleTexts.support_url,
      },
    ),
  },
  docs && {
    description:
      'What pages and emails say to the readers of one language. It is text: HTML in it is shown as it was written.',
    example: exampleTexts,
  },
)
export type BrandingTexts = z.output<typeof BrandingTexts>

const exampleEffective = docs && {
  product_name: 'Acme',
  logo: exampleBrandingLogo,
  dark_logo: null,
  icon: null,
  accent_color: '#1d4ed8',
  background_color: null,
  corner_radius: 'medium' as const,
  support_url: 'https://www.example.com/help',
  privacy_url: 'https://www.example.com/privacy',
  terms_url: null,
  sender_name: 'Acme',
  reply_to: 'help@example.com',
  reply_to_used: true,
  texts: [exampleTexts],
}

const color = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color of the form #rrggbb'))
export const givenColor = { given: z.nullable(color) }
const texts = z.array(BrandingTexts)

// Who sets and who sees a field of the branding of the service or of a product. Pages show all of it to everyone.
const everyone = ['service', 'everyone'] as const
const rights = { by: ['service', 'configuration'], seenBy: everyone } as const
const shown = { ...rights, inEvents: 'value' } as const
const ownColor = { ...givenColor, ...shown }
const givenUrl = { given: z.nullable(text(500)), ...shown }

/** What can be set for the service and for a product. Null is not set. Images have operations of their own. */
const settings = sharedFields({
  product_name: settable(
    z.nullable(anyText),
    docs && {
      description:
        'The name that users see in headings and emails: one line of at most 60 characters, without characters that are invisible or change the direction of text. Default: `Latchkey`.',
      example: 'Acme',
    },
    { given: z.nullable(text(60)), ...shown },
  ),
  logo: field(z.nullable(BrandingLogo), docs && 'The logo. Default: null, for the name alone.', {
    seenBy: everyone,
  }),
  dark_logo: field(z.nullable(BrandingLogo), docs && 'The logo of dark mode. Default: null, for the same.', {
    seenBy: everyone,
  }),
  icon: field(
    z.nullable(BrandingLogo),
    docs && 'The icon of the pages in the tabs of browsers. Default: null, for that of Latchkey.',
    { seenBy: everyone },
  ),
  accent_color: settable(
    z.nullable(anyText),
    docs && {
      description:
        'The color of buttons as `#rrggbb`. Text on it is black or white, and links are as dark or light as they need.',
      example: '#1d4ed8',
    },
    ownColor,
  ),
  background_color: settable(
    z.nullable(anyText),
    docs && {
      description:
        'The color around the main area of pages as `#rrggbb`. It needs a contrast of at least 4.5:1 with the dark text `#1f2937`. Dark mode has a dark shade of it. Default: null, for a light gray.',
      example: '#f8fafc',
    },
    ownColor,
  ),
  corner_radius: settable(
    z.nullable(cornerRadius),
    docs && {
      description: 'How round the corners of buttons, fields and areas are. Default: `medium`.',
      example: 'medium',
    },
    shown,
  ),
  support_url: settable(
    z.nullable(anyText),
    docs && {
      description:
        'Where users find help: a page with `https:`, or an email address as `mailto:`. Default: null, for no link.',
      example: 'mailto:help@example.com',
    },
    givenUrl,
  ),
  privacy_url: settable(
    z.nullable(anyText),
    docs && {
      description: 'The privacy notice, with `https:`. Default: null, for no link.',
      example: 'https://www.example.com/privacy',
    },
    givenUrl,
  ),
  terms_url: settable(
    z.nullable(anyText),
    docs && {
      description: 'The terms of use, with `https:`. Default: null, for no link.',
      example: 'https://www.example.com/terms',
    },
    givenUrl,
  ),
  sender_name: settable(
    z.nullable(anyText),
    docs && {
      description: `The name before the address of the sender, in invitations and emails with access links: one line of at most ${senderNameMax} characters, without an address or a domain. Default: null, for the name in the setting \`mailFrom\`.`,
      example: 'Acme',
    },
    { given: z.nullable(text(senderNameMax)), ...shown },
  ),
  reply_to: settable(
    z.nullable(anyText),
    docs && {
      description:
        'Where answers to these emails go: an address in a domain of the service, its products, or the setting `mailFrom`. Default: null, for the sender.',
      example: 'help@example.com',
    },
    { given: z.nullable(text(254)), ...shown },
  ),
  reply_to_used: field(
    flag,
    docs &&
      'Whether emails have `reply_to`. Not if it is null, or if its domain is none of the service any more.',
    { seenBy: everyone },
  ),
})

/** What is shown if it was not set is never null. The texts belong to the service, because all branding is in one item. */
export const brandingFields = sharedFields({
  ...settings,
  product_name: settable(anyText, settings.product_name.text, settings.product_name),
  accent_color: settable(anyText, settings.accent_color.text, ownColor),
  corner_radius: settable(cornerRadius, settings.corner_radius.text, settings.corner_radius),
  texts: settable(
    texts,
    docs &&
      'The texts of the service for readers of a language, at most one entry for each. A change replaces all texts before.',
    { given: z.nullable(texts.check(z.maxLength(languages.length))), ...rights },
  ),
})

/** The branding as pages show it: everything that was not set is filled in. */
export const Branding = model(
  brandingFields,
  docs && {
    description:
      'How pages and emails look, and whom they name. What was not set has the default, or for a product what the service has.',
    example: exampleEffective,
  },
)
export type Branding = z.output<typeof Branding>

const exampleSettings = docs && {
  product_name: 'Acme',
  accent_color: '#1d4ed8',
  support_url: 'https://www.example.com/help',
  privacy_url: 'https://www.example.com/privacy',
}

export const BrandingSettings = changes(
  settings,
  docs && {
    description:
      'The branding to set for a product. Null sets nothing: it then has what the service has. Logos have operations of their own, and are ignored.',
    example: exampleSettings,
  },
)
export type BrandingSettings = z.output<typeof BrandingSettings>

export const ServiceBrandingSettings = changes(
  brandingFields,
  docs && {
    description:
      'The branding to set for the service. Null sets nothing: it then has the default. Logos have operations of their own, and are ignored.',
    example: { ...exampleSettings, texts: [exampleTexts] },
  },
)
export type ServiceBrandingSettings = z.output<typeof ServiceBrandingSettings>

export const productBrandingFields = sharedFields({
  name: field(
    anyText,
    docs && { description: 'The name of the product in the setting `linkUrl`.', example: 'Shop' },
    { seenBy: everyone },
  ),
  ...settings,
  effective: field(Branding, docs && 'What pages and emails of the product show.', { seenBy: everyone }),
})

/** What was set for a product, and what its pages show. */
export const ProductBranding = model(
  productBrandingFields,
  docs && {
    description: `The branding of a product that access links lead to. Null was not set: it has what the service has, but for dark mode its own \`logo\`. The branding of up to ${brandedProductsMax} products is stored.`,
    example: {
      name: 'Shop',
      product_name: 'Acme Shop',
      logo: null,
      dark_logo: null,
      icon: null,
      accent_color: '#b91c1c',
      background_color: null,
      corner_radius: null,
      support_url: null,
      privacy_url: null,
      terms_url: null,
      sender_name: null,
      reply_to: null,
      reply_to_used: false,
      effective: { ...exampleEffective, product_name: 'Acme Shop', accent_color: '#b91c1c' },
    },
  },
)
export type ProductBranding = z.output<typeof ProductBranding>

const largestDescription = docs && logoPixels.max.toLocaleString('en-US')

export const LogoUpload = model(
  {
    kind: field(
      z.optional(z.enum(logoKinds)),
      docs && {
        description:
          'What the image is for: the logo, the logo of dark mode, or the icon in the tabs of browsers. Default: `logo`.',
        example: 'dark_logo',
      },
    ),
    content_type: field(
      text(100),
      docs && {
        description:
          'The type of the image: `image/png`, `image/jpeg`, `image/webp` or `image/gif`. It must be the type of the data.',
        example: 'image/png',
      },
    ),
    data: field(
      nonEmptyText.check(
        z.maxLength(maxLogoCharacters, `must be base64 of at most ${maxLogoBytes / 1024} KiB`),
      ),
      docs && {
        description: 'The file in base64 (RFC 4648 section 4), with padding.',
        example: exampleLogo.data,
      },
    ),
  },
  docs && {
    description: `An image of at most 128 KiB, with ${logoPixels.min} to ${largestDescription} pixels in each direction. PNG suits emails best. SVG is not accepted: email programs do not show it, and it can contain scripts.`,
    example: { content_type: 'image/png', data: exampleLogo.data },
  },
)
export type LogoUpload = z.output<typeof LogoUpload>
