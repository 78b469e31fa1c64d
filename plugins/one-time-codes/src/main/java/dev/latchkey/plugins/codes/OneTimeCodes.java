package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Secret;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one-time codes of accounts: enrolment, and checks of codes.
 *
 * <p>After the first right code has confirmed an enrolment, logins of the account need codes. A pending enrolment
 * changes no login and no existing codes. A pending enrolment ends after {@value AccountCodes#PENDING_MINUTES} minutes
 * or {@value AccountCodes#MOST_FAILURES} wrong codes.
 *
 * <p>Each code works once, even with two simultaneous requests, and even after a clock was set back. The step of the
 * last code is stored and only grows; a used recovery code is removed. An account's state changes by compare-and-set
 * ({@link CodeStore}); after a lost race, the state is read and the code is checked again.
 *
 * <p>{@link #use(String, Secret)} does not count wrong codes. A caller outside of a login must limit the checks, like
 * {@link OwnCodes}. Immutable, and safe for use by any number of threads.
 */
public final class OneTimeCodes {

    static final int RECOVERY_CODES = 10;

    private final CodeRows rows;
    private final String issuer;
    private final CodeAlgorithm algorithm;

    private OneTimeCodes(CodeRows rows, String issuer, CodeAlgorithm algorithm) {
        this.rows = rows;
        this.issuer = issuer;
        this.algorithm = Objects.requireNonNull(algorithm, "algorithm");
    }

    /**
     * Codes in this store.
     *
     * @param store shared by all nodes; contains only encrypted secrets
     * @param keys encrypt the secrets of accounts
     * @param issuer the service's name in an app: 1 to 64 characters, no colon
     * @return codes with SHA-1, which all apps support
     * @throws IllegalArgumentException if the issuer has another form
     */
    public static OneTimeCodes of(CodeStore store, SecretKeys keys, String issuer) {
        if (!ProvisioningUri.isIssuer(issuer)) {
            throw new IllegalArgumentException("An issuer has 1 to " + ProvisioningUri.MOST_SHOWN
                    + " characters, is not blank and has neither colons nor control characters");
        }
        return new OneTimeCodes(new CodeRows(store, keys, InstantSource.system()), issuer, CodeAlgorithm.SHA1);
    }

    /**
     * A copy with this algorithm for new enrolments. Existing enrolments keep their algorithm.
     *
     * @param algorithm supported by the users' apps
     * @return other codes
     */
    public OneTimeCodes withAlgorithm(CodeAlgorithm algorithm) {
        return new OneTimeCodes(rows, issuer, algorithm);
    }

    /**
     * A copy with another clock.
     *
     * @param clock decides about the present step; apps use their own clocks
     * @return other codes
     */
    public OneTimeCodes withClock(InstantSource clock) {
        return new OneTimeCodes(rows.withClock(clock), issuer, algorithm);
    }

    /**
     * Whether logins of this account need a code.
     *
     * @param account the subject's id
     * @return also {@code false} during the first, unconfirmed enrolment
     * @throws AuthUnavailableException if the store does not answer
     */
    public boolean isEnrolled(String account) {
        return rows.enrolled(account).isPresent();
    }

    /**
     * The number of this account's unused recovery codes.
     *
     * @param account the subject's id
     * @return also zero for an account without enrolment
     */
    public int recoveryCodesLeft(String account) {
        return rows.stored(account).map(stored -> stored.recovery().size()).orElse(0);
    }

    /**
     * Begins an enrolment, and replaces a pending enrolment. The caller must have verified the account's owner by more
     * than a session, because a session can be stolen. Codes belong to the exact id, so the account must have one id, whichever
     * spelling is typed ({@link dev.latchkey.auth.engine.DecidedLogins#requireOneName}). {@link OwnCodes} does both.
     *
     * @param account the subject's id, shown in the app beside the issuer
     * @return empty if the account has enrolled already
     * @throws AuthUnavailableException if the store does not answer
     */
    public Optional<Enrolment> begin(String account) {
        return begin(account, null);
    }

    /**
     * Begins an enrolment after this proof. {@link #confirm(String, Secret, Predicate, Predicate)} passes the proof to its
     * tests. If the proof includes a code, an enrolled account may begin too.
     */
    Optional<Enrolment> begin(String account, PendingSecret.@Nullable Proof proof) {
        boolean hasCode = proof != null && proof.methods().contains(Factors.ONE_TIME_CODE);
        CodeSecret secret = CodeSecret.random(algorithm, rows.random());
        return CodeRows.retried(() -> {
            Optional<StoredCodes> before = rows.stored(account);
            AccountCodes codes = rows.read(account, before.orElseGet(StoredCodes::none));
            if (codes.isEnrolled() && !hasCode) {
                return Optional.of(Optional.empty());
            }
            return rows.write(account, before, codes.begunWith(new PendingSecret(secret, proof)))
                    ? Optional.of(Optional.of(new Enrolment(issuer, account, secret)))
                    : Optional.empty();
        });
    }

    /**
     * Completes a pending enrolment with the first code of the new app. From now on logins need a code.
     *
     * @param account the subject's id
     * @param code from the new app
     * @return new recovery codes, to be shown once; empty if the code is wrong or no enrolment is pending. The new codes
     *     replace all earlier recovery codes
     */
    public Optional<List<Secret>> confirm(String account, Secret code) {
        return confirm(account, code, pending -> true, pending -> true);
    }

    /** Completes a pending enrolment if both tests accept the enrolment: the first before the write, the second after. */
    Optional<List<Secret>> confirm(
            String account, Secret code, Predicate<AccountCodes> mayConfirm, Predicate<AccountCodes> remains) {
        Optional<TypedCode> typed = code.withText(TypedCode::of).filter(shown -> !shown.isRecovery());
        List<TypedCode> recovery = Stream.generate(() -> TypedCode.randomRecovery(rows.random()))
                .limit(RECOVERY_CODES)
                .toList();
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.find(account).filter(AccountCodes::isPending);
            if (typed.isEmpty() || before.filter(mayConfirm).isEmpty()) {
                return Optional.of(Optional.empty());
            }
            Optional<StoredCodes> confirmed = before.get().confirmedBy(typed.get(), recovery);
            StoredCodes after = confirmed.orElseGet(before.get()::withFailure);
            if (!rows.write(account, before.map(AccountCodes::stored), after)) {
                return Optional.empty();
            }
            return Optional.of(confirmed
                    .filter(done -> remains(account, before.get(), remains))
                    .map(done -> shown(recovery)));
        });
    }

    /**
     * The account may change between the first test and the write. The row then returns to the state before the
     * enrolment, but without remembered devices: a revocation may have ended the devices meanwhile.
     */
    private boolean remains(String account, AccountCodes before, Predicate<AccountCodes> remains) {
        boolean isGood = false;
        try {
            isGood = remains.test(before);
        } finally {
            if (!isGood) {
                takeBack(account, before);
            }
        }
        return isGood;
    }

    /** Compares the secrets themselves, because another node may have encrypted the row with another key. */
    private void takeBack(String account, AccountCodes before) {
        byte[] confirmed = before.pending().secret().bytes();
        StoredCodes earlier = before.stored().withoutPending().withDevices(List.of());
        var unused = CodeRows.retried(() -> {
            Optional<StoredCodes> row = rows.enrolled(account)
                    .filter(now -> MessageDigest.isEqual(now.secret().bytes(), confirmed))
                    .map(AccountCodes::stored);
            return row.isEmpty() || rows.write(account, row, earlier) ? Optional.of(true) : Optional.empty();
        });
    }

    private static List<Secret> shown(List<TypedCode> recovery) {
        return recovery.stream().map(each -> Secret.of(each.shown())).toList();
    }

    /**
     * Uses up a code of the app or a recovery code.
     *
     * @param account the subject's id
     * @param code as typed by the user
     * @return whether the code was right; also false without an enrolment
     * @throws AuthUnavailableException if the store did not answer
     */
    public boolean use(String account, Secret code) {
        return use(account, CodeUse.of(code));
    }

    /** Uses up a code. Also true if an earlier attempt of this use has reached the store. */
    boolean use(String account, CodeUse use) {
        return CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            Optional<StoredCodes> stored = before.map(AccountCodes::stored);
            if (stored.filter(use::hasWritten).isPresent()) {
                return Optional.of(true);
            }
            Optional<StoredCodes> after = before.flatMap(codes -> use.typed().flatMap(codes::using));
            if (after.isEmpty()) {
                return Optional.of(false);
            }
            return rows.write(account, stored, after.get(), use::writing) ? Optional.of(true) : Optional.empty();
        });
    }

    /**
     * Removes all codes of this account. Afterwards, logins of the account need no code. For an administrator after a
     * check of the user's identity, and for a deleted account.
     *
     * @param account the subject's id
     * @return whether the account had codes
     */
    public boolean remove(String account) {
        return rows.delete(account);
    }

    /**
     * Encrypts the account's secret with the current key, if a former key encrypted the secret. A login with a code does
     * the same.
     *
     * @param account the account's name, as in the table
     * @throws AuthUnavailableException if the store does not answer, or no key can decrypt the secret
     */
    public void reseal(String account) {
        boolean unused = CodeRows.retried(() -> {
            Optional<AccountCodes> before = rows.enrolled(account);
            if (before.isEmpty() || before.get().isSealedWithTheCurrentKey()) {
                return Optional.of(true);
            }
            return rows.write(
                            account,
                            before.map(AccountCodes::stored),
                            before.get().resealed())
                    ? Optional.of(true)
                    : Optional.empty();
        });
    }

    CodeRows rows() {
        return rows;
    }
}
