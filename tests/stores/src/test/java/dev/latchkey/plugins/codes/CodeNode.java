package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import dev.latchkey.plugins.codes.SecretKeys.Column;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The one-time codes of a service at one node with a clock of its own, and the apps of the users. */
public final class CodeNode {

    private static final SecretKeys KEYS = SecretKeys.of(Secret.of(new byte[32]));

    private final OneTimeCodes codes;
    private final InstantSource clock;

    public CodeNode(DataSource database, InstantSource clock) {
        this.codes = OneTimeCodes.of(new JdbcCodeStore(database), KEYS, "Shop").withClock(clock);
        this.clock = clock;
    }

    /**
     * Enrols an account, and confirms at another node.
     *
     * @return the recovery codes; none if the account has enrolled already, or another enrolment came first
     */
    public List<Secret> enrol(String account, CodeNode confirming) {
        if (codes.begin(account).isEmpty()) {
            return List.of();
        }
        return codes.rows()
                .stored(account)
                .map(StoredCodes::pending)
                .map(pending -> PendingSecret.of(KEYS.open(account, Column.PENDING, pending))
                        .secret())
                .map(secret -> Secret.of(secret.codeAt(confirming.step())))
                .flatMap(code -> confirming.codes.confirm(account, code))
                .orElse(List.of());
    }

    /** The present step by this node's clock. */
    public long step() {
        return CodeSecret.stepAt(clock.instant());
    }

    /** The code of the account's app in this step; empty without an enrolment. */
    public Optional<Secret> codeAt(String account, long step) {
        return codes.rows()
                .enrolled(account)
                .map(enrolled -> Secret.of(enrolled.secret().codeAt(step)));
    }

    public boolean use(String account, Secret code) {
        return codes.use(account, code);
    }

    public boolean remove(String account) {
        return codes.remove(account);
    }
}
