package dev.latchkey.auth.jdbc;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.IdDigest;
import dev.latchkey.auth.store.LoginValues;
import dev.latchkey.auth.store.StoredLogin;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** A session and its row in {@code latchkey_login}. The column {@code service} names the service that owns the row. */
record LoginRow(StoredLogin login, IdDigest id, IdDigest owner) {

    static final String INSERT =
            "INSERT INTO latchkey_login (service, id, owner, login, plugin, subject, token_hash, stamp, methods, started_at, ends_at, "
                    + "expires_at, replaced_hash, replaced_seed, replaced_at, device, address) VALUES (:service, :id, :owner, :login, :plugin, :subject, :token_hash, :stamp, "
                    + ":methods, :started_at, :ends_at, :expires_at, :replaced_hash, :replaced_seed, :replaced_at, :device, :address)";

    private static final String SET = " owner = :owner, plugin = :plugin, subject = :subject, "
            + "token_hash = :token_hash, stamp = :stamp, methods = :methods, started_at = :started_at, ends_at = :ends_at, expires_at = :expires_at, "
            + "replaced_hash = :replaced_hash, replaced_seed = :replaced_seed, replaced_at = :replaced_at, device = :device, address = :address "
            + "WHERE service = :service AND id = :id AND token_hash = :expected";

    /**
     * Writes another token. {@code sent_by} has a random number for each write whose caller may already have sent this
     * token to a client. The list is empty if every caller has reported that it did not send the token.
     */
    static final String REPLACE = "UPDATE latchkey_login SET sent_by = :sender," + SET;

    /**
     * Writes the current token again. {@code sent_by} is null if the receivers are unknown. A long list becomes null,
     * so that the list cannot grow without end.
     */
    static final String REPEAT =
            "UPDATE latchkey_login SET sent_by = CASE WHEN LENGTH(sent_by) < 200 THEN CONCAT(sent_by, :sender) END,"
                    + SET;

    /** Notes that the caller of this write did not send the token to a client. */
    static final String NOT_SENT = "UPDATE latchkey_login SET sent_by = REPLACE(sent_by, :sender, '') "
            + "WHERE service = :service AND id = :id AND token_hash = :token_hash";

    static final String SELECT =
            "SELECT seq, login, plugin, subject, token_hash, stamp, methods, started_at, ends_at, expires_at, replaced_hash, "
                    + "replaced_seed, replaced_at, device, address, sent_by FROM latchkey_login ";

    static LoginRow of(StoredLogin login) {
        return new LoginRow(login, IdDigest.ofLogin(login.id()), IdDigest.ofOwner(login.subjectId()));
    }

    StatementSpec bind(StatementSpec statement) {
        StoredLogin.Replaced replaced = login.replaced();
        return statement
                .param("id", id.bytes())
                .param("owner", owner.bytes())
                .param("login", LoginValues.utf8(login.id()))
                .param("plugin", LoginValues.utf8(login.plugin()))
                .param("subject", LoginValues.utf8(login.subjectId()))
                .param("token_hash", LoginValues.utf8(login.tokenHash()))
                .param("stamp", LoginValues.utf8(login.stamp()))
                .param("methods", LoginValues.utf8(LoginValues.textOf(login.methods())))
                .param("started_at", LoginValues.millis(login.startedAt()))
                .param("ends_at", LoginValues.millis(login.endsAt()))
                .param("expires_at", LoginValues.millis(login.expiresAt()))
                .param("replaced_hash", replaced == null ? null : LoginValues.utf8(replaced.tokenHash()), Types.BINARY)
                .param("replaced_seed", replaced == null ? null : LoginValues.utf8(replaced.seed()), Types.BINARY)
                .param("replaced_at", replaced == null ? null : LoginValues.millis(replaced.at()), Types.BIGINT)
                .param("device", utf8OrNull(login.device().name()), Types.BINARY)
                .param("address", utf8OrNull(login.device().address()), Types.BINARY);
    }

    /**
     * Reads the row. A replacement whose token was sent to no client counts as done now.
     *
     * @throws AuthUnavailableException if the row is no login
     */
    static StoredLogin read(ResultSet row, Instant now) throws SQLException {
        try {
            return login(row, now);
        } catch (IllegalArgumentException e) {
            throw AuthUnavailableException.outage(
                    "The row of latchkey_login with the seq " + row.getLong("seq") + " is no login; delete the row");
        }
    }

    private static StoredLogin login(ResultSet row, Instant now) throws SQLException {
        return new StoredLogin(
                text(row.getBytes("login")),
                text(row.getBytes("plugin")),
                text(row.getBytes("subject")),
                text(row.getBytes("token_hash")),
                text(row.getBytes("stamp")),
                LoginValues.methods(text(row.getBytes("methods"))),
                Instant.ofEpochMilli(row.getLong("started_at")),
                Instant.ofEpochMilli(row.getLong("ends_at")),
                Instant.ofEpochMilli(row.getLong("expires_at")),
                replaced(row, now),
                new StoredLogin.Device(textOrNull(row.getBytes("device")), textOrNull(row.getBytes("address"))));
    }

    private static StoredLogin.@Nullable Replaced replaced(ResultSet row, Instant now) throws SQLException {
        byte[] hash = row.getBytes("replaced_hash");
        if (hash == null) {
            return null;
        }
        Instant at = "".equals(row.getString("sent_by")) ? now : Instant.ofEpochMilli(row.getLong("replaced_at"));
        return new StoredLogin.Replaced(text(hash), text(row.getBytes("replaced_seed")), at);
    }

    private static byte @Nullable [] utf8OrNull(@Nullable String text) {
        return text == null ? null : LoginValues.utf8(text);
    }

    private static @Nullable String textOrNull(byte @Nullable [] utf8) {
        return utf8 == null ? null : text(utf8);
    }

    private static String text(byte @Nullable [] utf8) {
        if (utf8 == null) {
            throw new IllegalArgumentException("A login without a value");
        }
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
