package dev.latchkey.auth.guard.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.bucket.KeyDigest.Kind;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
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
        for (KeyDigest digest : List.of(new SipDigest(), HmacDigest.under(KEY))) {
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
        ClientKeys client = keys.client(source);
        LimitKeys same = LimitKeys.shared(KEY);
        assertThat(same.client(source)).isEqualTo(client);
        assertThat(same.named("Ann", "Ann", client)).isEqualTo(keys.named("Ann", "Ann", client));
        assertThat(same.found("hash", client)).isEqualTo(keys.found("hash", client));
        assertThat(same.principal("ann")).isEqualTo(keys.principal("ann")).isNotEqualTo(keys.principal("bob"));
        assertThat(LimitKeys.random().client(source)).isNotEqualTo(client);
        assertThat(LimitKeys.shared(Secret.of("l".repeat(32))).client(source)).isNotEqualTo(client);
    }

    @Test
    void spellingsOfAName_shareEveryKeyButTheEntryOfAKnownClient() {
        LimitKeys keys = LimitKeys.random();
        ClientKeys client = keys.client(Attempts.address("192.0.2.1"));
        AccountKeys ann = keys.named("ann", "ann", client);
        AccountKeys upper = keys.named("Ann", "Ann", client);
        assertThat(upper.account()).isEqualTo(ann.account());
        assertThat(upper.withClient()).isEqualTo(ann.withClient());
        assertThat(upper.clientEntry()).isNotEqualTo(ann.clientEntry());
        assertThat(keys.named("Ann", "Ann", keys.client(ClientSource.UNKNOWN)).clientEntry())
                .isNull();
    }

    @Test
    void keyRevealsNothingOfItsAccount() {
        ClientKeys client = LimitKeys.random().client(Attempts.address("192.0.2.1"));
        assertThat(LimitKeys.random().named("hunter2", "hunter2", client).toString())
                .doesNotContain("hunter2");
        assertThat(client.toString()).doesNotContain("192.0.2");
    }
}
