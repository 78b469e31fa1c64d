package dev.latchkey.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.latchkey.auth.permission.Permission;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The records and enums of the SPI check themselves. */
class ValuesTest {

    private static final Subject ADA = Subject.of("ada");

    @Test
    void subjectId_hasOneTo255Characters() {
        assertThat(Subject.of("a").id()).isEqualTo("a");
        assertThat(Subject.of("a".repeat(255)).id()).hasSize(255);
        assertThatIllegalArgumentException().isThrownBy(() -> Subject.of("a".repeat(256)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "a\nb", "a\0", "\u007F", "a\u0085b"})
    void blankOrControlCharactersInASubjectId_areRefused(String id) {
        assertThatIllegalArgumentException().isThrownBy(() -> Subject.of(id));
    }

    /** PostgreSQL's driver stores such a half as a question mark: the id would be that of another account. */
    @ParameterizedTest
    @ValueSource(strings = {"a\uD800", "\uDC00a", "\uD800\uD800", "\uDE00\uD83D"})
    void halfOfASurrogatePairInASubjectId_isRefused(String id) {
        assertThat(Subject.isId(id)).isFalse();
        assertThatIllegalArgumentException().isThrownBy(() -> Subject.of(id));
    }

    @Test
    void subjectWithAKeyOrAnActor_hasNotLoggedIn() {
        assertThat(ADA.withClaim("role", "x").isOwnLogin()).isTrue();
        assertThat(ADA.withClaim(Subject.KEY_CLAIM, "k1").isOwnLogin()).isFalse();
        assertThat(ADA.withClaim(Subject.ACTOR_CLAIM, "").isOwnLogin()).isFalse();
        assertThat(ADA.withClaim(Subject.ACTOR_CLAIM, true).isOwnLogin()).isFalse();
    }

    @Test
    void surrogatePairInASubjectId_isKept() {
        assertThat(Subject.of("a\uD83D\uDE00").id()).isEqualTo("a\uD83D\uDE00");
    }

    @Test
    void blankAuthority_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> ADA.withAuthorities(" "));
    }

    @Test
    void authorities_areAnUnmodifiableCopy() {
        Set<String> authorities = new HashSet<>(Set.of("ROLE_USER"));
        Subject subject = new Subject("ada", authorities);
        authorities.add("ROLE_ADMIN");
        assertThat(subject.authorities()).containsExactly("ROLE_USER").isUnmodifiable();
    }

    @Test
    void authorities_areReplacedNotAdded() {
        assertThat(ADA.withAuthorities("A", "B")
                        .withAuthorities(List.of("C", "C"))
                        .authorities())
                .containsExactly("C");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "bad_mac", "0123456789", "a234567890123456789012345678901234567890123456789012345678901234"})
    void rejectionDetail_isAShortCode(String detail) {
        assertThat(Rejected.because(RejectionReason.MALFORMED).withDetail(detail))
                .isEqualTo(new Rejected(RejectionReason.MALFORMED, detail));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bad",
                "bad mac",
                "bad-mac",
                "user=ada",
                "a\n",
                "\u00E9",
                "a2345678901234567890123456789012345678901234567890123456789012345"
            })
    void rejectionDetailWithPossibleInputOfACaller_isRefusedAndNotPrinted(String detail) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Rejected.because(RejectionReason.MALFORMED).withDetail(detail))
                .withMessage("A rejection's detail is a code of at most 64 of [a-z0-9_]");
    }

    @Test
    void rejectionCodes_areStable() {
        assertThat(Arrays.stream(RejectionReason.values()).map(RejectionReason::code))
                .containsExactly(
                        "bad_credentials",
                        "unknown_account",
                        "account_disabled",
                        "account_locked",
                        "account_expired",
                        "credentials_expired",
                        "revoked",
                        "malformed",
                        "not_recognized");
    }

    @Test
    void outcome_isOneSealedType() {
        assertThat(Decision.class.getPermittedSubclasses()).containsExactly(Verdict.class, Abstained.class);
        assertThat(Verdict.class.getPermittedSubclasses())
                .containsExactly(Authenticated.class, Rejected.class, Challenged.class);
    }

    @Test
    void abstention_isOneInstance() {
        assertThat(Decision.abstained()).isSameAs(Decision.abstained()).hasToString("Abstained[]");
    }

    @Test
    void authenticatedWithoutBound_isValidForEver() {
        assertThat(Authenticated.as(ADA).validUntil()).isEqualTo(Instant.MAX);
    }

    @Test
    void missingParts_areRefused() {
        assertThatNullPointerException().isThrownBy(() -> new Authenticated(null, Instant.MAX));
        assertThatNullPointerException().isThrownBy(() -> new Authenticated(ADA, null));
        assertThatNullPointerException().isThrownBy(() -> new Rejected(null, ""));
        assertThatNullPointerException().isThrownBy(() -> new PasswordCredentials(null, Secret.of("")));
        assertThatNullPointerException().isThrownBy(() -> new PasswordCredentials("ada", null));
        assertThatNullPointerException().isThrownBy(() -> new BearerToken(null));
    }

    /** A plugin may pass on a cause that its library does not know. */
    @Test
    void outageWithoutACause_isAnOutage() {
        assertThat(AuthUnavailableException.outage("down", null))
                .hasMessage("down")
                .hasNoCause();
    }

    @Test
    void passwordCredentials_claimTheirAccountAndATokenNone() {
        assertThat(new PasswordCredentials("", Secret.of("")).account()).contains("");
        assertThat(BearerToken.of("a.b.c").account()).isEmpty();
    }

    @Test
    void permission_needsResourceAndAction() {
        assertThat(new Permission("r", "a")).hasToString("Permission[resource=r, action=a]");
        assertThatIllegalArgumentException().isThrownBy(() -> new Permission(" ", "a"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Permission("r", ""));
    }

    @Test
    void outage_hasAStackTraceAndItsCause() {
        IllegalStateException cause = new IllegalStateException("connection refused");
        AuthUnavailableException outage = AuthUnavailableException.outage("The account store is down", cause);
        assertThat(outage.getStackTrace()).isNotEmpty();
        assertThat(outage).hasMessage("The account store is down").hasCause(cause);
        assertThat(outage.retryAfter()).isEmpty();
        assertThat(AuthUnavailableException.outage("down").kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE);
    }

    @ParameterizedTest
    @EnumSource(
            value = AuthUnavailableException.Kind.class,
            names = {"OVERLOAD", "THROTTLED"})
    void overload_hasNoStackTraceAndSaysWhenToComeBack(AuthUnavailableException.Kind kind) {
        Duration retryAfter = Duration.ofSeconds(3);
        AuthUnavailableException busy = kind == AuthUnavailableException.Kind.OVERLOAD
                ? AuthUnavailableException.overload("The hashing pool is full", retryAfter)
                : AuthUnavailableException.throttled("Too many attempts", retryAfter);
        assertThat(busy.kind()).isEqualTo(kind);
        assertThat(busy.getStackTrace()).isEmpty();
        assertThat(busy.retryAfter()).contains(retryAfter);
    }
}
