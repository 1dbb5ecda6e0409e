import { authentication } from './guide/authentication.ts'
import { conventions } from './guide/conventions.ts'
import { errors } from './guide/errors.ts'
import { introduction } from './guide/introduction.ts'
import { ticketsAndLinks } from './guide/tickets-and-links.ts'

/** The start of the OpenAPI document, in CommonMark with tables. Readers need nothing else to begin. */
export const guide = [introduction, authentication, ticketsAndLinks, errors, conventions].join('\n\n')
