package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A request holds its persistence context open, as open-in-view does, and the account is looked up again. */
class OpenContextsTest {

    private static final String FACTORY = "the factory of persistence contexts";
    private static final String OTHER = "a resource that no transaction manages";

    private final ResourceHolderSupport context = new ResourceHolderSupport() {};
    private final UserDetailsPlugin users =
            new UserDetailsPlugin(this::find, TestLoginEncoders.around(Services.cheapEncoder()), null);
    private @Nullable Object seen;
    private @Nullable Object seenOther;
    private boolean isUp = true;

    @Test
    void account_isNotReadFromTheOpenContext() {
        withOpenContext(() -> assertThat(users.account("ann")).isPresent());
        assertThat(seen).isNull();
        assertThat(seenOther).isSameAs(OTHER);
    }

    @Test
    void openContext_isThereAgainAfterAFailure() {
        isUp = false;
        withOpenContext(
                () -> assertThatThrownBy(() -> users.account("ann")).isInstanceOf(AuthUnavailableException.class));
    }

    @Test
    void contextOfATransaction_stays() {
        withOpenContext(() -> {
            TransactionSynchronizationManager.initSynchronization();
            try {
                assertThat(users.account("ann")).isPresent();
            } finally {
                TransactionSynchronizationManager.clearSynchronization();
            }
        });
        assertThat(seen).isSameAs(context);
    }

    private void withOpenContext(Runnable request) {
        TransactionSynchronizationManager.bindResource(FACTORY, context);
        TransactionSynchronizationManager.bindResource(OTHER, OTHER);
        try {
            request.run();
            assertThat(TransactionSynchronizationManager.getResource(FACTORY)).isSameAs(context);
        } finally {
            TransactionSynchronizationManager.unbindResource(FACTORY);
            TransactionSynchronizationManager.unbindResource(OTHER);
        }
    }

    private UserDetails find(String name) {
        seen = TransactionSynchronizationManager.getResource(FACTORY);
        seenOther = TransactionSynchronizationManager.getResource(OTHER);
        if (!isUp) {
            throw new IllegalStateException("Simulated: the database is down");
        }
        return User.withUsername(name).password(Services.HASH).roles("USER").build();
    }
}
