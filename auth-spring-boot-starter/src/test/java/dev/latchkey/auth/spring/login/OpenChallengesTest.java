package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OpenChallengesTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final RequestContext HOME = RequestContext.from("192.0.2.1");
    private static final Challenged CHALLENGE = Challenged.by(Authenticated.as(Subject.of("ada")), "otp");

    private Instant now = START;
    private final OpenChallenges challenges = new OpenChallenges(() -> now);

    private String open() {
        return open(CHALLENGE);
    }

    private String open(Challenged challenge) {
        return challenges
                .open(challenge, Optional.empty(), START, HOME, TokenOptions.defaults())
                .continuation();
    }

    @Test
    void challenge_isThereOnce() {
        String continuation = open();
        assertThat(challenges.take(continuation, HOME)).hasValueSatisfying(open -> {
            assertThat(open.challenge()).isSameAs(CHALLENGE);
            assertThat(open.startedAt()).isEqualTo(START);
        });
        assertThat(challenges.take(continuation, HOME)).isEmpty();
    }

    @Test
    void challenge_endsAfterItsLifetime() {
        String first = open();
        String second = open();
        now = START.plus(OpenChallenges.LIFETIME).minusNanos(1);
        assertThat(challenges.take(first, HOME)).isPresent();
        now = START.plus(OpenChallenges.LIFETIME);
        assertThat(challenges.take(second, HOME)).isEmpty();
    }

    @Test
    void challenge_isForItsAddressAndTenant_andSpentByAnother() {
        String continuation = open();
        assertThat(challenges.take(continuation, RequestContext.from("192.0.2.2")))
                .isEmpty();
        assertThat(challenges.take(continuation, HOME)).isEmpty();
        assertThat(challenges.take(open(), HOME.withTenant("emea"))).isEmpty();
        assertThat(challenges.take(open(), RequestContext.none())).isEmpty();
    }

    /** As the login limits count clients. */
    @Test
    void challenge_isForAWholeNetworkOfIpV6() {
        assertThat(challenges.take(openFrom("2001:db8:1:1::1"), RequestContext.from("2001:db8:1:1::2")))
                .isPresent();
        assertThat(challenges.take(openFrom("2001:db8:1:1::1"), RequestContext.from("2001:db8:1:2::1")))
                .isEmpty();
        assertThat(challenges.take(openFrom("unknown"), RequestContext.from("hidden")))
                .isEmpty();
        assertThat(challenges.take(openFrom("unknown"), RequestContext.from("unknown")))
                .isPresent();
    }

    private String openFrom(String address) {
        return challenges
                .open(CHALLENGE, Optional.empty(), START, RequestContext.from(address), TokenOptions.defaults())
                .continuation();
    }

    @Test
    void tooManyOfThem_costTheOldest() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i <= OpenChallenges.MOST; i++) {
            all.add(open());
        }
        assertThat(challenges.take(all.get(0), HOME)).isEmpty();
        assertThat(challenges.take(all.get(1), HOME)).isPresent();
        assertThat(challenges.take(all.get(OpenChallenges.MOST), HOME)).isPresent();
    }

    @Test
    void accountThatBeginsMany_pushesOutItsOwn() {
        String ofAda = open();
        Challenged other = Challenged.by(Authenticated.as(Subject.of("mallory")), "otp");
        String first = open(other);
        for (int i = 0; i < OpenChallenges.MOST; i++) {
            open(other);
        }
        assertThat(challenges.take(first, HOME)).isEmpty();
        assertThat(challenges.take(ofAda, HOME)).isPresent();
    }

    @Test
    void endedOnes_makeRoomBeforeOthersDo() {
        for (int i = 0; i < OpenChallenges.MOST; i++) {
            open();
        }
        now = START.plus(OpenChallenges.LIFETIME);
        String next = open();
        assertThat(challenges.take(next, HOME)).isPresent();
    }

    private static Challenged of(String account) {
        return Challenged.by(Authenticated.as(Subject.of(account)), "otp");
    }

    private void openOfOthers(int number) {
        for (int i = 0; i < number; i++) {
            open(of("other" + i));
        }
    }

    @Test
    void takenOnes_doNotCountForTheirAccount_andTheRestDoes() {
        for (int i = 0; i < 5; i++) {
            assertThat(challenges.take(open(), HOME)).isPresent();
        }
        String first = open(of("mallory"));
        String second = open(of("mallory"));
        open(of("mallory"));
        assertThat(challenges.take(second, HOME)).isPresent();
        openOfOthers(OpenChallenges.MOST - 2);
        open(of("bob"));
        assertThat(challenges.take(first, HOME)).isEmpty();
    }

    @Test
    void endedOnes_takeNoPlaceOfAnAccountWithTwo() {
        openOfOthers(OpenChallenges.MOST - 2);
        now = START.plus(OpenChallenges.LIFETIME);
        String first = open();
        open();
        open(of("bob"));
        assertThat(challenges.take(first, HOME)).isPresent();
    }
}
