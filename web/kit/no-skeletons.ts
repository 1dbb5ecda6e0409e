/*
 * Takes the place of the parser of ICU skeletons, such as `{count, number, ::compact-short}`, in the pages. No message has one, and
 * each visitor would load it.
 */

const refuse = (): never => {
  throw new Error('Messages of pages have no skeletons.')
}

export const parseDateTimeSkeleton = refuse
export const parseNumberSkeleton = refuse
export const parseNumberSkeletonFromString = refuse
