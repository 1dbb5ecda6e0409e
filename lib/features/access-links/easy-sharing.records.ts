import { isAbsent, isPresent } from '../../kernel/table/expressions.ts'
import { accessLinkKey, easySharingKey, type Key } from '../../kernel/table/keys/keys.ts'
import { findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { type AccessLinkRecord, accessLinkKind, type EasySharing, easySharingCodec } from './link.records.ts'

/*
 * With easy sharing, a creator has one link for an object and its terms. A uniqueness record names the link. Creators
 * never share one: the value of a link is only handed to the user who created it.
 */

/** The link that this creator shares the object with, on these terms. Also one that no longer works. */
export const findEasySharing = async (
  table: Table,
  createdBy: number,
  { kind, id, terms }: EasySharing,
): Promise<AccessLinkRecord | undefined> => {
  if (terms === undefined) return undefined
  const found = await findRecord(table, easySharingCodec, easySharingKey({ createdBy, kind, id, terms }))
  return found && findRecord(table, accessLinkKind.codec, accessLinkKey(found.tokenId))
}

/**
 * The steps that make a new link the one for its object and terms. They fail if there is another link by now, except
 * for `replaced`, which no longer works.
 */
export const buildEasySharingSteps = (
  { id: linkId, createdBy, easySharing }: AccessLinkRecord,
  replaced: AccessLinkRecord | undefined,
): readonly Step[] => {
  if (easySharing?.terms === undefined) return []
  const { kind, id, terms } = easySharing
  const marker: Step = {
    put: { ...easySharingKey({ createdBy, kind, id, terms }), tokenId: linkId },
    condition: replaced
      ? (x) => `${isAbsent(x)} OR ${x.path('tokenId')} = ${x.value(replaced.id)}`
      : isAbsent,
  }
  if (!replaced) return [marker]
  return [
    marker,
    {
      update: accessLinkKey(replaced.id),
      changes: (x) => ({
        set: [`${x.path('easySharing')} = ${x.value(null)}`],
        condition: isPresent(x),
      }),
    },
  ]
}

/** The steps that delete the uniqueness record of a link. They fail if another link has replaced it. */
export const buildEasySharingDeletion = (link: AccessLinkRecord): readonly Step[] => {
  const key = getMarkerKey(link)
  return key
    ? [{ delete: key, condition: (x) => `${isAbsent(x)} OR ${x.path('tokenId')} = ${x.value(link.id)}` }]
    : []
}

const getMarkerKey = ({ createdBy, easySharing }: AccessLinkRecord): Key | undefined => {
  if (!easySharing) return undefined
  const { kind, id, terms } = easySharing
  return terms === undefined ? undefined : easySharingKey({ createdBy, kind, id, terms })
}
