package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.api.Permission;
import com.alibaba.nacos.plugin.auth.exception.AccessException;
import com.alibaba.nacos.plugin.auth.impl.authenticate.IAuthenticationManager;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUser;
import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of the server's own controllers, which stay in use. Roles and permissions are decided by the
 * server.
 */
final class LatchkeyAuthenticationManager implements IAuthenticationManager {

    static final String REFUSED = "User not found! Please check user exist or password is right!";

    private final NacosLogins logins;
    private final NacosRoleService roles;
    private final MappedRoles mapped;

    LatchkeyAuthenticationManager(NacosLogins logins, NacosRoleService roles) {
        this.logins = logins;
        this.roles = roles;
        this.mapped = new MappedRoles(roles);
    }

    @Override
    public NacosUser authenticate(@Nullable String username, @Nullable String rawPassword) throws AccessException {
        return require(() -> logins.login(username, rawPassword, null).map(NacosLogins.Login::user));
    }

    @Override
    public NacosUser authenticate(@Nullable String jwtToken) throws AccessException {
        return require(
                () -> Optional.ofNullable(jwtToken).flatMap(logins::byToken).map(NacosLogins.Login::user));
    }

    @Override
    public NacosUser authenticate(HttpServletRequest request) throws AccessException {
        ShownCredentials shown = ShownCredentials.in(request);
        return shown.token().isPresent()
                ? authenticate(shown.token().get())
                : authenticate(shown.username(), shown.password());
    }

    @Override
    public void authorize(Permission permission, NacosUser user) throws AccessException {
        if (!isAllowed(permission, user)) {
            throw new AccessException("authorization failed!");
        }
    }

    /** Whether the server's roles allow the permission: those in its table, and those by rules. */
    boolean isAllowed(Permission permission, NacosUser user) {
        return user.isGlobalAdmin()
                || roles.hasPermission(user, permission)
                || (user instanceof LatchkeyUser subject && mapped.allow(subject.mappedRoles(), permission));
    }

    @Override
    public boolean hasGlobalAdminRole(String username) {
        return roles.hasGlobalAdminRole(username);
    }

    @Override
    public boolean hasGlobalAdminRole() {
        return roles.hasGlobalAdminRole();
    }

    @Override
    public boolean hasGlobalAdminRole(NacosUser user) {
        return user.isGlobalAdmin() || hasGlobalAdminRole(user.getUserName());
    }

    private static NacosUser require(Supplier<Optional<? extends NacosUser>> question) throws AccessException {
        Optional<? extends NacosUser> user;
        try {
            user = question.get();
        } catch (AuthUnavailableException e) {
            CurrentCall.get().ifPresent(call -> call.failed(e));
            throw new AccessException(Refusal.of(e).message());
        }
        if (user.isEmpty()) {
            throw new AccessException(REFUSED);
        }
        return user.get();
    }
}
