package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.KeyDigest.Kind;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.login.Attempts;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LimitKeysTest {

    private static final Secret KEY = Secret.of("k".repeat(32));

    @Test
    void kindsNeverMeet() {
        for (KeyDigest digest : List.of(new LocalDigest(), SharedDigest.under(KEY))) {
            Set<BucketKey> keys = new HashSet<>();
            for (Kind kind : Kind.values()) {
                keys.add(digest.of(kind, "x"));
                keys.add(digest.of(kind, 1, 2));
                keys.add(digest.of(kind, 2, 1));
            }
            assertThat(keys).hasSize(3 * Kind.values().length);
        }
    }

    @Test
    void keysAreThoseOfEveryNodeWithTheSameSecret_andOfNoOther() {
        ClientSource source = Attempts.address("2001:db8:1:2::1");
        LimitKeys keys = LimitKeys.shared(KEY);
        Where where = keys.where(source);
        LimitKeys same = LimitKeys.shared(KEY);
        assertThat(same.where(source)).isEqualTo(where);
        assertThat(same.named("Ann", where)).isEqualTo(keys.named("ann", where));
        assertThat(same.found("hash", where)).isEqualTo(keys.found("hash", where));
        assertThat(same.principal("ann")).isEqualTo(keys.principal("ann")).isNotEqualTo(keys.principal("bob"));
        assertThat(LimitKeys.random().where(source)).isNotEqualTo(where);
        assertThat(LimitKeys.shared(Secret.of("l".repeat(32))).where(source)).isNotEqualTo(where);
    }

    @Test
    void keyTellsNothingOfWhatItStandsFor() {
        Where where = LimitKeys.random().where(Attempts.address("192.0.2.1"));
        assertThat(LimitKeys.random().named("hunter2", where).toString()).doesNotContain("hunter2");
        assertThat(where.toString()).doesNotContain("192.0.2");
    }
}
