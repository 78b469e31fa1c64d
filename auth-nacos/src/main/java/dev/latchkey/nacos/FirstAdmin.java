package dev.latchkey.nacos;

import com.alibaba.nacos.plugin.auth.impl.constant.AuthConstants;
import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import com.alibaba.nacos.plugin.auth.impl.roles.NacosRoleService;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import com.alibaba.nacos.plugin.auth.impl.utils.PasswordGeneratorUtil;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the first administrator, whom anybody may make who is first, as the server wants it.
 *
 * <p>Can be repeated: where the server ended between the user and his role, the next call gives him a new password and the role.
 */
final class FirstAdmin {

    private final NacosUserService users;
    private final NacosRoleService roles;
    private final ReentrantLock once = new ReentrantLock();

    FirstAdmin(NacosUserService users, NacosRoleService roles) {
        this.users = users;
        this.roles = roles;
    }

    /**
     * The administrator with this password, or one made by chance; empty if there is one already.
     *
     * @throws IllegalArgumentException if the password is too long for the server
     */
    Optional<User> create(@Nullable String password) {
        once.lock();
        try {
            if (roles.hasGlobalAdminRole()) {
                return Optional.empty();
            }
            String name = AuthConstants.DEFAULT_USER;
            String chosen =
                    password == null || password.isBlank() ? PasswordGeneratorUtil.generateRandomPassword() : password;
            if (users.getUser(name) == null) {
                users.createUser(name, chosen);
            } else {
                users.updateUserPassword(name, chosen);
            }
            roles.addAdminRole(name);
            User created = new User();
            created.setUsername(name);
            created.setPassword(chosen);
            return Optional.of(created);
        } finally {
            once.unlock();
        }
    }
}
