package dev.latchkey.nacos;

import com.alibaba.nacos.api.model.Page;
import com.alibaba.nacos.plugin.auth.impl.persistence.User;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserDetails;
import com.alibaba.nacos.plugin.auth.impl.users.NacosUserService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/** The server's users: a table, and a copy with the age wanted by the test. */
final class FakeUsers implements NacosUserService {

    final Map<String, String> table = new ConcurrentHashMap<>();
    final Map<String, String> copy = new ConcurrentHashMap<>();
    final AtomicInteger reads = new AtomicInteger();
    volatile boolean isDown;

    /** As MySQL with its default collation. */
    volatile boolean ignoresCase;

    FakeUsers with(String name, String storedHash) {
        table.put(name, storedHash);
        copy.put(name, storedHash);
        return this;
    }

    private String storedName(String typed) {
        return table.keySet().stream()
                .filter(name -> ignoresCase && name.equalsIgnoreCase(typed))
                .findFirst()
                .orElse(typed);
    }

    @Override
    public User getUser(String username) {
        reads.incrementAndGet();
        if (isDown) {
            throw new IllegalStateException("no database");
        }
        String name = storedName(username);
        String hash = table.get(name);
        if (hash == null) {
            return null;
        }
        User user = new User();
        user.setUsername(name);
        user.setPassword(hash);
        return user;
    }

    @Override
    public UserDetails loadUserByUsername(String username) {
        String name = storedName(username);
        String hash = copy.get(name);
        if (hash == null) {
            throw new UsernameNotFoundException(username);
        }
        User user = new User();
        user.setUsername(name);
        user.setPassword(hash);
        return new NacosUserDetails(user);
    }

    @Override
    public void createUser(String username, String password, boolean encode) {
        table.put(username, "stored:" + password);
    }

    @Override
    public void updateUserPassword(String username, String password) {
        table.put(username, "stored:" + password);
    }

    @Override
    public void deleteUser(String username) {
        table.remove(username);
    }

    @Override
    public Page<User> getUsers(int pageNo, int pageSize, String username) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page<User> findUsers(String username, int pageNo, int pageSize) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<String> findUserNames(String username) {
        throw new UnsupportedOperationException();
    }
}
