package dev.latchkey.plugins.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.permission.Permission;
import java.util.Arrays;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Measures the cost of a question. Run by name, outside of builds. */
class PermissionCost {

    private static final int PERMISSIONS = 10_000;
    private static final int QUESTIONS = 200_000;
    private static final int ROUNDS = 15;

    @Test
    void tenThousandPermissionsOfAUser() {
        Policy.Builder builder = Policy.builder();
        for (int i = 0; i < PERMISSIONS; i++) {
            builder.grant("role" + i % 20, "ns-" + i % 100 + ":group-" + i % 7 + ":config/app-" + i + "-*", "rw");
        }
        Policy policy = builder.build();
        Set<String> roles = Set.of("role1", "role2", "role3", "role4", "role5");
        Subject subject = Subject.of("ada");
        long[] nanos = new long[ROUNDS];
        long granted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < QUESTIONS; i++) {
                int app = i % PERMISSIONS;
                Permission asked =
                        new Permission("ns-" + app % 100 + ":group-" + app % 7 + ":config/app-" + app + "-x", "r");
                granted += policy.allows(roles, subject, asked) ? 1 : 0;
            }
            nanos[round] = (System.nanoTime() - start) / QUESTIONS;
        }
        assertThat(granted).isEqualTo((long) ROUNDS * QUESTIONS / 4);
        Arrays.sort(nanos);
        System.out.println("10,000 permissions: " + nanos[ROUNDS / 2] + " ns a question in the middle of " + ROUNDS
                + " rounds, the best " + nanos[0]);
    }
}
