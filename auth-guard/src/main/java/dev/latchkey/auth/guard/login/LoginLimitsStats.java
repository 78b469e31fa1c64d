package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.LoginLimit;
import java.util.Map;

/**
 * What {@link LoginLimits} do now and have done since they began; the last three only grow.
 *
 * @param waiting logins that wait behind others now
 * @param contended buckets of which reservations are open now
 * @param remembered entries of sources that logged in or failed, and of wrong passwords
 * @param admitted logins that were given a reservation
 * @param refused logins, by the limit that refused them
 * @param settled reservations, by what became of them
 */
public record LoginLimitsStats(
        int waiting,
        int contended,
        long remembered,
        long admitted,
        Map<LoginLimit, Long> refused,
        Map<AttemptResult, Long> settled) {

    /**
     * Copies the maps.
     *
     * @param waiting logins that wait behind others now
     * @param contended buckets of which reservations are open now
     * @param remembered entries of sources that logged in or failed, and of wrong passwords
     * @param admitted logins that were given a reservation
     * @param refused logins, by the limit that refused them
     * @param settled reservations, by what became of them
     */
    public LoginLimitsStats {
        refused = Map.copyOf(refused);
        settled = Map.copyOf(settled);
    }
}
