import { admin, anyone, authenticatedOrResetting } from '../access.ts'
import {
  EvaluatePasswordEndpointRequest,
  EvaluatePasswordEndpointResponse,
  GeneratePasswordEndpointResponse,
  PasswordPolicy,
} from '../models/password-policy.ts'
import { PasswordResetEndpointRequest, RequestPasswordResetRequest } from '../models/password-reset.ts'
import { operation } from '../operation.ts'

export const passwords = {
  generatePassword: operation({
    id: 'generate_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/generate-password',
    access: authenticatedOrResetting,
    summary: 'Generate a password that meets the password policy',
    responses: { 200: GeneratePasswordEndpointResponse },
  }),
  evaluatePassword: operation({
    id: 'evaluate_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/evaluate-password',
    access: authenticatedOrResetting,
    summary: 'Check a password against a policy and estimate its strength',
    body: EvaluatePasswordEndpointRequest,
    responses: { 200: EvaluatePasswordEndpointResponse },
  }),
  requestPasswordReset: operation({
    id: 'request_password_reset',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/reset-password/request',
    access: anyone,
    summary: 'Email a password reset link if the account exists',
    body: RequestPasswordResetRequest,
    responses: { 204: null },
  }),
  resetPassword: operation({
    id: 'reset_password',
    group: 'passwords',
    method: 'POST',
    path: '/api/2/auth/reset-password',
    access: anyone,
    summary: 'Set a new password with a reset token',
    body: PasswordResetEndpointRequest,
    responses: { 204: null },
  }),
  getPasswordPolicy: operation({
    id: 'get_password_policy',
    group: 'passwords',
    method: 'GET',
    path: '/api/2/system/password-policy',
    access: anyone,
    summary: 'Get the password policy',
    responses: { 200: PasswordPolicy },
  }),
  updatePasswordPolicy: operation({
    id: 'update_password_policy',
    group: 'passwords',
    method: 'PUT',
    path: '/api/2/system/password-policy',
    access: admin,
    summary: 'Replace the password policy',
    body: PasswordPolicy,
    responses: { 200: PasswordPolicy },
  }),
}
