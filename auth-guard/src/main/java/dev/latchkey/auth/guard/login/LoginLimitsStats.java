package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.LoginLimit;
import java.util.Map;

/**
 * The state and totals of {@link LoginLimits}; the last three only grow.
 *
 * @param waiting logins that wait behind other logins now
 * @param contended buckets with open reservations now
 * @param remembered entries of sources with logins or failures, and of wrong passwords
 * @param admitted logins with a reservation
 * @param refused rejected logins, by limit
 * @param settled reservations, by result
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
     * @param waiting logins that wait behind other logins now
     * @param contended buckets with open reservations now
     * @param remembered entries of sources with logins or failures, and of wrong passwords
     * @param admitted logins with a reservation
     * @param refused rejected logins, by limit
     * @param settled reservations, by result
     */
    public LoginLimitsStats {
        refused = Map.copyOf(refused);
        settled = Map.copyOf(settled);
    }
}
