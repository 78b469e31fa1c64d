/**
 * A second step by one-time codes: {@link dev.latchkey.plugins.codes.OneTimeCodesPlugin} asks whoever has enrolled,
 * {@link dev.latchkey.plugins.codes.OneTimeCodes} enrols and checks, and {@link dev.latchkey.plugins.codes.OwnCodes} is for a user's own
 * enrolment. {@link dev.latchkey.plugins.codes.RememberedDevices} leave the step out.
 */
@NullMarked
package dev.latchkey.plugins.codes;

import org.jspecify.annotations.NullMarked;
