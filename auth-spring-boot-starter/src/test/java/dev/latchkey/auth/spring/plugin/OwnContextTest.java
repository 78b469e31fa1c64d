package dev.latchkey.auth.spring.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A request holds its persistence context open, as open-in-view does, and the account is looked up again. */
class OwnContextTest {

    private static final String OTHER = "a resource that no transaction manages";

    private final List<EntityManager> made = new ArrayList<>();
    private final List<EntityManager> closed = new ArrayList<>();
    private final EntityManagerFactory factory = factory();
    private final EntityManagerHolder open = new EntityManagerHolder(entityManager());
    private final UserDetailsPlugin users =
            new UserDetailsPlugin(this::find, TestLoginEncoders.around(Services.cheapEncoder()), null);
    private @Nullable Object seen;
    private @Nullable Object seenOther;
    private boolean isUp = true;

    @Test
    void account_isReadInAContextOfItsOwn_thatIsClosed() {
        withOpenContext(() -> {
            assertThat(users.account("ann")).isPresent();
            assertThat(users.account("ann")).isPresent();
        });
        assertThat(made).hasSize(2).containsExactlyElementsOf(closed);
        assertThat(seen).isNotSameAs(open).isInstanceOf(EntityManagerHolder.class);
        assertThat(seenOther).isSameAs(OTHER);
    }

    /** As an entity with a lazy collection. */
    @Test
    void roles_areLoadedBeforeTheContextIsClosed() {
        withOpenContext(() -> {
            assertThat(users.account("ann")).hasValueSatisfying(OwnContextTest::isAUser);
            isAUser(users.authenticate(
                    new PasswordCredentials("ann", Secret.of(Services.PASSWORD)), RequestContext.none()));
        });
    }

    @Test
    void openContext_isThereAgainAfterAFailure() {
        isUp = false;
        withOpenContext(
                () -> assertThatThrownBy(() -> users.account("ann")).isInstanceOf(AuthUnavailableException.class));
        assertThat(made).hasSize(1).containsExactlyElementsOf(closed);
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
        assertThat(seen).isSameAs(open);
    }

    @Test
    void requestWithoutAContext_getsNone() {
        assertThat(users.account("ann")).isPresent();
        assertThat(seen).isNull();
    }

    private static void isAUser(Object verdict) {
        assertThat(verdict)
                .isInstanceOfSatisfying(
                        Authenticated.class,
                        account -> assertThat(account.subject().authorities()).contains("ROLE_USER"));
    }

    private void withOpenContext(Runnable request) {
        TransactionSynchronizationManager.bindResource(factory, open);
        TransactionSynchronizationManager.bindResource(OTHER, OTHER);
        try {
            request.run();
            assertThat(TransactionSynchronizationManager.getResource(factory)).isSameAs(open);
        } finally {
            TransactionSynchronizationManager.unbindResource(factory);
            TransactionSynchronizationManager.unbindResource(OTHER);
        }
    }

    private UserDetails find(String name) {
        seen = TransactionSynchronizationManager.getResource(factory);
        seenOther = TransactionSynchronizationManager.getResource(OTHER);
        if (!isUp) {
            throw new IllegalStateException("Simulated: the database is down");
        }
        EntityManager context =
                seen instanceof EntityManagerHolder holder ? holder.getEntityManager() : entityManager();
        return new User(name, Services.HASH, AuthorityUtils.NO_AUTHORITIES) {
            @Override
            public List<GrantedAuthority> getAuthorities() {
                if (closed.contains(context)) {
                    throw new IllegalStateException("Simulated: the context is closed");
                }
                return AuthorityUtils.createAuthorityList("ROLE_USER");
            }
        };
    }

    private EntityManagerFactory factory() {
        return (EntityManagerFactory) Proxy.newProxyInstance(
                OwnContextTest.class.getClassLoader(),
                new Class<?>[] {EntityManagerFactory.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "createEntityManager" -> {
                        made.add(entityManager());
                        yield made.get(made.size() - 1);
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private EntityManager entityManager() {
        return (EntityManager) Proxy.newProxyInstance(
                OwnContextTest.class.getClassLoader(),
                new Class<?>[] {EntityManager.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "close" -> closed.add((EntityManager) proxy) ? null : proxy;
                    case "isOpen" -> !closed.contains(proxy);
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
