/** What Latchkey asks at the first sign-in of a user whom the import marked. */
export interface Question {
  /** The names of the user at the time of the import. */
  readonly username: string
  readonly email: string | null
  /** As the user entered it. It can be wrong, and of any length. */
  readonly password: string
  /** The ID of the user in the old system. Missing if the import did not name it. */
  readonly external_id?: string
}

/** Whether the password is right. An error stands for "no one knows", and refuses the sign-in until later. */
export interface Answer {
  readonly is_correct: boolean
}

/** Latchkey waits three seconds, so a function ends its own call a little earlier. */
export const callMs = 2500
