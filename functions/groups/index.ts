import { groups } from '../../lib/contract/operations/groups.ts'
import { handlerFor } from '../../lib/http/handler.ts'
import { notImplemented } from '../../lib/http/use-case.ts'

export const handler = handlerFor(groups, {
  getAllGroups: notImplemented,
  createGroup: notImplemented,
  getGroup: notImplemented,
  updateGroup: notImplemented,
  patchGroup: notImplemented,
  deleteGroup: notImplemented,
})
