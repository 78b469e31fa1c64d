/**
 * A second step with one-time codes. {@link dev.latchkey.plugins.codes.OneTimeCodesPlugin} challenges logins of
 * enrolled accounts. {@link dev.latchkey.plugins.codes.OneTimeCodes} enrols accounts and checks codes.
 * {@link dev.latchkey.plugins.codes.OwnCodes} is for a user's own enrolment.
 * {@link dev.latchkey.plugins.codes.RememberedDevices} skip the step.
 */
@NullMarked
package dev.latchkey.plugins.codes;

import org.jspecify.annotations.NullMarked;
