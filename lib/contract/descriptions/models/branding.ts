import { brandedProductsMax, logoPixels } from '../../../limits/limits.ts'
import {
  Branding,
  BrandingLogo,
  BrandingSettings,
  LogoUpload,
  ProductBranding,
} from '../../models/branding.ts'
import { describeModel } from '../describe.ts'
import { exampleLogo, exampleUrl } from '../example-values.ts'

const logo = { url: `${exampleUrl}/logos/${exampleLogo.hash}`, width: 16, height: 16 }

const effective = {
  product_name: 'Acme',
  logo,
  accent_color: '#1d4ed8',
  background_color: null,
  support_url: 'https://www.example.com/help',
  privacy_url: 'https://www.example.com/privacy',
  terms_url: null,
}

const largest = logoPixels.max.toLocaleString('en-US')

export const brandingTexts = [
  describeModel(BrandingLogo, {
    description: 'An uploaded logo.',
    fields: {
      url: {
        description:
          'The address of the image. It changes with the image. It stays readable for a year after the logo was replaced.',
        example: logo.url,
      },
      width: { description: 'The width in pixels.', example: 16 },
      height: { description: 'The height in pixels.', example: 16 },
    },
    example: logo,
  }),
  describeModel(Branding, {
    description:
      'How pages and emails look, and whom they name. What was not set has the default, or for a product what the service has.',
    fields: {
      product_name: {
        description: 'The name that users see in headings and emails. Default: `Latchkey`.',
        example: 'Acme',
      },
      logo: 'The logo. Null if there is none.',
      accent_color: {
        description: 'The color of buttons. Links have the same color, as dark or light as their text needs.',
        example: '#1d4ed8',
      },
      background_color: {
        description: 'The color around the main area of pages. Null for a light gray.',
        example: '#f8fafc',
      },
      support_url: {
        description: 'Where users find help: a page, or an address as `mailto:`. Null for no link.',
        example: 'mailto:help@example.com',
      },
      privacy_url: {
        description: 'The privacy notice. Null for no link.',
        example: 'https://www.example.com/privacy',
      },
      terms_url: {
        description: 'The terms of use. Null for no link.',
        example: 'https://www.example.com/terms',
      },
    },
    example: effective,
  }),
  describeModel(BrandingSettings, {
    description:
      'The branding to set. Null sets nothing: the service then has the default, and a product what the service has. Logos have operations of their own, and `logo` is ignored.',
    fields: {
      product_name: {
        description:
          'One line of at most 60 characters, without characters that are invisible or change the direction of text.',
        example: 'Acme',
      },
      accent_color: {
        description: 'The color of buttons as `#rrggbb`. It needs a contrast of at least 3:1 with white.',
        example: '#1d4ed8',
      },
      background_color: {
        description:
          'The color around the main area of pages as `#rrggbb`. It needs a contrast of at least 4.5:1 with the dark text `#1f2937`. Dark mode has a dark shade of it.',
        example: '#f8fafc',
      },
      support_url: {
        description: 'Where users find help: a page with `https:`, or an email address as `mailto:`.',
        example: 'mailto:help@example.com',
      },
      privacy_url: {
        description: 'The privacy notice, with `https:`.',
        example: 'https://www.example.com/privacy',
      },
      terms_url: {
        description: 'The terms of use, with `https:`.',
        example: 'https://www.example.com/terms',
      },
    },
    example: {
      product_name: 'Acme',
      accent_color: '#1d4ed8',
      support_url: 'https://www.example.com/help',
      privacy_url: 'https://www.example.com/privacy',
    },
  }),
  describeModel(ProductBranding, {
    description: `The branding of a product that access links lead to. Null was not set. The branding of up to ${brandedProductsMax} products is stored.`,
    fields: {
      name: { description: 'The name of the product in the setting `linkUrl`.', example: 'Shop' },
      product_name: {
        description: 'The name that users see. Null for that of the service.',
        example: 'Acme Shop',
      },
      logo: 'The logo of the product. Null for that of the service.',
      accent_color: {
        description: 'The color of buttons. Null for that of the service.',
        example: '#b91c1c',
      },
      background_color: {
        description: 'The color around the main area. Null for that of the service.',
        example: '#fff7ed',
      },
      support_url: {
        description: 'Where users of the product find help. Null for what the service has.',
        example: 'mailto:shop@example.com',
      },
      privacy_url: {
        description: 'The privacy notice of the product. Null for what the service has.',
        example: 'https://shop.example.com/privacy',
      },
      terms_url: {
        description: 'The terms of use of the product. Null for what the service has.',
        example: 'https://shop.example.com/terms',
      },
      effective: 'What pages and emails of the product show.',
    },
    example: {
      name: 'Shop',
      product_name: 'Acme Shop',
      logo: null,
      accent_color: '#b91c1c',
      background_color: null,
      support_url: null,
      privacy_url: null,
      terms_url: null,
      effective: { ...effective, product_name: 'Acme Shop', accent_color: '#b91c1c' },
    },
  }),
  describeModel(LogoUpload, {
    description: `An image of at most 128 KiB, with ${logoPixels.min} to ${largest} pixels in each direction. PNG suits emails best. SVG is not accepted: email programs do not show it, and it can contain scripts.`,
    fields: {
      content_type: {
        description:
          'The type of the image: `image/png`, `image/jpeg`, `image/webp` or `image/gif`. It must be the type of the data.',
        example: 'image/png',
      },
      data: {
        description: 'The file in base64 (RFC 4648 section 4), with padding.',
        example: exampleLogo.data,
      },
    },
    example: { content_type: 'image/png', data: exampleLogo.data },
  }),
]
