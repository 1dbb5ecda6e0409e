import { buildGuides, readGuides } from '../../../build/reference/guides.ts'
import { errorAnchorOf } from '../../../build/reference/shared-sections.ts'
import { reference } from './reference.prebuilt.ts'

const places = new Map(reference.index.map(({ href }) => [href.split('#')[1], href]))

/** The guides, by the last part of their address. */
export const guides = buildGuides(
  readGuides(),
  (name) => places.get(name) ?? places.get(errorAnchorOf(name) ?? name),
)
