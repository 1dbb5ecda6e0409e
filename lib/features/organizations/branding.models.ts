import * as z from 'zod/mini'
import { exampleLogo } from '../../accounts/example-values.models.ts'
import { anyText, flag, int32, text } from '../../kernel/contract/fields.ts'
import { changes, field, model, settable, sharedFields } from '../../kernel/contract/model.ts'
import { senderNameMax } from '../../kernel/limits/limits.ts'
import { BrandingLogo, givenColor, LogoUpload } from '../branding/models.ts'
import { organizationName } from './models.ts'

const longestName = 60

export const OrganizationLogo = model(
  {
    content_type: field(
      z.optional(LogoUpload.def.shape.content_type),
      docs && {
        description: 'The type of a new image: `image/png`, `image/jpeg`, `image/webp` or `image/gif`.',
        example: 'image/png',
      },
    ),
    data: field(
      z.optional(LogoUpload.def.shape.data),
      docs && {
        description: 'A new image in base64 (RFC 4648 section 4), with padding.',
        example: exampleLogo.data,
      },
    ),
    url: field(
      z.optional(anyText),
      docs && 'The address of the present image, to keep it. It is ignored with a new image.',
    ),
    width: field(z.optional(int32), docs && 'Ignored. The image has its own width.'),
    height: field(z.optional(int32), docs && 'Ignored. The image has its own height.'),
  },
  docs && {
    description:
      'A new image, with the rules of `LogoUpload`, or the logo as the service returned it, which keeps it.',
    example: { content_type: 'image/png', data: exampleLogo.data },
  },
)
export type OrganizationLogo = z.output<typeof OrganizationLogo>

const managers = ['service', 'org:settings:manage'] as const
const rights = { by: managers, seenBy: managers } as const
const givenLogo = { given: z.nullable(OrganizationLogo), ...rights }

export const organizationBrandingFields = sharedFields({
  name: settable(
    z.nullable(anyText),
    docs && {
      description: `The name that people see next to the name of the product: 1 to ${longestName} visible characters, without an address or a link. Null for the name of the organization. If the name contains the name of the product, people see the slug instead.`,
      example: 'Acme',
    },
    { given: z.nullable(organizationName(longestName)), ...rights, inEvents: 'value' },
  ),
  logo: settable(z.nullable(BrandingLogo), docs && 'The logo. Null for that of the product.', givenLogo),
  dark_logo: settable(
    z.nullable(BrandingLogo),
    docs && 'The logo of dark mode. Null for the same as `logo`, or that of the product if both are null.',
    givenLogo,
  ),
  accent_color: settable(
    z.nullable(anyText),
    docs && {
      description:
        'The color of buttons as `#rrggbb`. Text on it is black or white, and links are as dark or light as they need. Null for that of the product.',
      example: '#b91c1c',
    },
    { ...givenColor, ...rights, inEvents: 'value' },
  ),
  sender_name: settable(
    z.nullable(anyText),
    docs && {
      description: `The name before the address of the sender of invitations: one line of at most ${senderNameMax} characters, without an address or a domain. The name of the product follows it. It needs a domain that the organization proved. Null for the sender of the product.`,
      example: 'Acme',
    },
    { given: z.nullable(text(senderNameMax)), ...rights, inEvents: 'value' },
  ),
  reply_to: settable(
    z.nullable(anyText),
    docs && {
      description:
        'Where answers to invitations go: an address in a domain that the organization proved. Null for that of the product.',
      example: 'people@acme.example',
    },
    { given: z.nullable(text(254)), ...rights, inEvents: 'value' },
  ),
  sender_used: field(
    flag,
    docs &&
      'Whether invitations have this sender. Not if none is set, if the domain of `reply_to` is not proven any more, or if no domain is.',
    { seenBy: managers },
  ),
})

export const OrganizationBranding = model(
  organizationBrandingFields,
  docs && {
    description:
      'How pages and emails look that are about an organization. What is null has what the product has, and then what the service has.',
    example: {
      name: 'Acme',
      logo: null,
      dark_logo: null,
      accent_color: '#b91c1c',
      sender_name: null,
      reply_to: null,
      sender_used: false,
    },
  },
)
export type OrganizationBranding = z.output<typeof OrganizationBranding>

export const OrganizationBrandingChanges = changes(
  organizationBrandingFields,
  docs && {
    description: 'The branding of an organization after the request. Omitted fields are null.',
    example: {
      name: 'Acme',
      accent_color: '#b91c1c',
      logo: { content_type: 'image/png', data: exampleLogo.data },
    },
  },
)
export type OrganizationBrandingChanges = z.output<typeof OrganizationBrandingChanges>
